"""Passes that run before the lowering, in random choice and order. A new pass is
one line here."""

# These leave each rank's sequence of collectives as it is written.
STOCK = """
canonicalize
cse
sccp
inline
symbol-dce
topological-sort
mem2reg
sroa
remove-dead-values
control-flow-sink
loop-invariant-code-motion
loop-invariant-subset-hoisting
func.func(loop-invariant-code-motion)
func.func(control-flow-sink)
func.func(scf-for-to-while)
func.func(scf-for-loop-peeling)
func.func(scf-for-loop-canonicalization)
func.func(lift-cf-to-scf)
func.func(scf-for-loop-range-folding)
func.func(linalg-generalize-named-ops)
func.func(linalg-fuse-elementwise-ops)
func.func(convert-elementwise-to-linalg)
int-range-optimizations
arith-unsigned-when-equivalent
duplicate-function-elimination
convert-scf-to-cf
dist-functionalize
dist-reinplace
dist-verify-spmd
""".split()

# The same, for programs on buffers.
ON_BUFFERS = """
fold-memref-alias-ops
expand-strided-metadata
resolve-shaped-type-result-dims
func.func(buffer-hoisting)
func.func(buffer-loop-hoisting)
func.func(promote-buffers-to-stack)
func.func(convert-linalg-to-loops)
func.func(convert-linalg-to-affine-loops)
func.func(affine-scalrep)
func.func(affine-loop-invariant-code-motion)
""".split()

# These may change the sequence, on all members of a group alike.
REORDERING = """
dist-schedule
""".split()
