// Each option is an error of its own on the same program.
// RUN: not dist-opt %s --dist-bind-process-groups="groups=x=[[0]]" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dist-opt %s --dist-bind-process-groups="groups={g=[[0,1]] g=[[0,1]]}" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g" 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: not dist-opt %s --dist-bind-process-groups="groups=[[0]]" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=0,1" 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[]]" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[0,1" 2>&1 | FileCheck %s --check-prefix=CLOSE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[99999999999999999999]]" 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[0,1],[2]]" 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[0,0]]" 2>&1 | FileCheck %s --check-prefix=DUPLICATE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[-1,0]]" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=world:0" 2>&1 | FileCheck %s --check-prefix=WORLD
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[0,1]]h=[[0]]" 2>&1 | FileCheck %s --check-prefix=GLUED
// RUN: not dist-opt %s --dist-bind-process-groups="groups=declared=[[0,1]]" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=bound=[[1,0]]" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not dist-opt %s --dist-bind-process-groups="groups=g=[[0,1,2]]" --verify-each=false 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not dist-opt %s --dist-bind-process-groups="groups=s=[[0,1,2]]" --verify-each=false 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not dist-opt %s --dist-bind-process-groups="groups=s=[[0]]" --verify-each=false 2>&1 | FileCheck %s --check-prefix=ROOT
// RUN: not dist-opt %s --dist-bind-process-groups="groups=e=[[0,1,2]]" --verify-each=false 2>&1 | FileCheck %s --check-prefix=EXCHANGE
// RUN: not dist-opt %s --dist-bind-process-groups="groups=p=[[0,1]]" --verify-each=false 2>&1 | FileCheck %s --check-prefix=PAIRS

// UNKNOWN: error: option groups binds @x, expected the name of a process group of the module
// TWICE: error: option groups binds process group @g twice
// EQUAL: error: option groups: expected '=' after 'g', found ''
// NAME: error: option groups: expected the name of a process group, found '{{\[}}[0]]'
// TABLE: error: option groups: expected '{{\[}}[' or 'world:', found '0,1'
// RANK: error: option groups: expected a rank, found ']]'
// CLOSE: error: option groups: expected ',' or ']', found ''
// HUGE: error: option groups: expected a rank, found '99999999999999999999]]'
// UNEQUAL: error: option groups has lists of unequal size: expected 2 ranks as in the first list, found 1
// DUPLICATE: error: option groups, process group @g: group lists rank 0 twice
// NEGATIVE: error: option groups, process group @g: group has negative rank -1
// WORLD: error: option groups: expected a world size from 1 to 4194304, found '0'
// GLUED: error: option groups: expected a blank or ';' after the ranks of 'g', found 'h={{\[}}[0]]'

dist.process_group @g
// SIZE: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:1: error: 'dist.process_group' op declares size 4, but its lists have 2 ranks
dist.process_group @declared size 4
// OTHER: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:1: error: 'dist.process_group' op is bound to {{.*}}[0, 1]{{.*}} but option groups binds it to {{.*}}[1, 0]
dist.process_group @bound ranks [[0, 1]]
dist.process_group @s
dist.process_group @e
dist.process_group @p

func.func @collectives(%x: tensor<4xf32>) {
  // GATHER: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:{{.*}} error: 'dist.all_gather' op result has size 8 in dim 0, expected 12 for a source of size 4 and a group of size 3
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // SCATTER: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:{{.*}} error: 'dist.reduce_scatter' op cannot split dim 0 of size 4 among a group of size 3
  %g = dist.reduce_scatter sum %x dim 0 on <@s>
      : (tensor<4xf32>) -> !dist.future<tensor<?xf32>>
  // ROOT: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:{{.*}} error: 'dist.broadcast' op has root 1, expected a position in a group of size 1
  %h = dist.broadcast %x root 1 on <@s>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // EXCHANGE: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:{{.*}} error: 'dist.all_to_all' op cannot split dim 0 of size 4 among a group of size 3
  %i = dist.all_to_all %x split_dim 0 concat_dim 0 on <@e>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // PAIRS: bind-process-groups-invalid.mlir:[[# @LINE + 1]]:{{.*}} error: 'dist.permute' op has position 2 in its pairs, expected a position in a group of size 2
  %j = dist.permute %x pairs [[2, 0]] on <@p>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}
