// What leaves a run: values in print and in files, counters, a Chrome trace and
// a timeline.

// RUN: split-file %s %t
// RUN: dist-run %t/program.mlir --print --print-args --output-dir=%t/out --counters --trace=%t/trace.json --timeline=%t/timeline.svg \
// RUN:   --link-delay=200ms > %t/printed
// RUN: FileCheck %s --input-file=%t/printed
// CHECK:      rank 0: argument 1: memref<4xi32> = [0, 1, 2, 3]
// CHECK-NEXT: rank 0: result 0: tensor<2xi32> = [0, 1]
// CHECK-NEXT: rank 0: result 1: tensor<2x0xf32> = []
// CHECK-NEXT: rank 0: result 2: tensor<f64> = 0.1
// CHECK-NEXT: rank 0: result 3: ui8 = 255
// CHECK-NEXT: rank 1: argument 1: memref<4xi32> = [0, 1, 2, 3]
// CHECK-NEXT: rank 1: result 0: tensor<2xi32> = [2, 3]
// CHECK:      "ranks": [
// CHECK:        "rank": 0
// CHECK-NEXT:   "collectives": 1
// CHECK-NEXT:   "bytes": 16
// CHECK:        "rank": 1
// CHECK:      "allocations": {
// CHECK:        "liveBytes": 0

// RUN: %python %t/check.py %t
// RUN: dist-run %t/program.mlir --print --print-args --print-limit=2 | FileCheck %s --check-prefix=LIMIT
// LIMIT: rank 0: argument 1: memref<4xi32> = [0, 1, ...] (2 more)

// RUN: not dist-run %t/program.mlir --output-dir=%t/printed 2>&1 | FileCheck %s --check-prefix=NO-FOLDER
// NO-FOLDER: dist-run: error: --output-dir: cannot make '{{.*}}printed'
// RUN: not dist-run %t/program.mlir --timeline=%t/absent/x.svg 2>&1 | FileCheck %s --check-prefix=NO-TIMELINE
// NO-TIMELINE: dist-run: error: --timeline: cannot write '{{.*}}x.svg': No such file or directory
// RUN: not dist-run %t/program.mlir --trace=%t/absent/x.json 2>&1 | FileCheck %s --check-prefix=NO-TRACE
// NO-TRACE: dist-run: error: --trace: {{.*}}x.json

//--- program.mlir
func.func @main(%x: tensor<2xi32>, %out: memref<4xi32> {dist.writable}) -> (tensor<2xi32>, tensor<2x0xf32>, tensor<f64>, ui8) {
  %m = bufferization.to_buffer %x read_only : tensor<2xi32> to memref<2xi32>
  dist.all_gather_into %m into %out dim 0 on <[[0, 1]]> : (memref<2xi32>) into (memref<4xi32>)
  %empty = tensor.empty() : tensor<2x0xf32>
  %tenth = arith.constant dense<0.1> : tensor<f64>
  %c = arith.constant -1 : i8
  %byte = builtin.unrealized_conversion_cast %c : i8 to ui8
  return %x, %empty, %tenth, %byte : tensor<2xi32>, tensor<2x0xf32>, tensor<f64>, ui8
}

//--- check.py
import json
import sys
import xml.etree.ElementTree as ET

import numpy as np

folder = sys.argv[1]


def load(name):
    return np.load(f"{folder}/out/{name}.npy")


for rank in range(2):
    gathered = load(f"arg1.rank{rank}")
    assert gathered.dtype == np.int32 and gathered.tolist() == [0, 1, 2, 3]
    assert load(f"result0.rank{rank}").tolist() == [2 * rank, 2 * rank + 1]
    assert load(f"result1.rank{rank}").shape == (2, 0)
    assert load(f"result2.rank{rank}") == np.float64(0.1)
    assert load(f"result3.rank{rank}") == np.uint8(255)

trace = json.load(open(f"{folder}/trace.json"))
events = trace["traceEvents"] if isinstance(trace, dict) else trace
assert any("all_gather" in event.get("name", "") for event in events), events

svg = ET.parse(f"{folder}/timeline.svg").getroot()
space = "{http://www.w3.org/2000/svg}"
assert svg.tag == space + "svg"
labels = [element.text for element in svg.iter(space + "text")]
for label in ("rank 0", "rank 1", "blocked in a wait", "all_gather", "all_gather #0"):
    assert label in labels, (label, labels)
assert any(label.endswith(" ms") for label in labels), labels
tips = [element.text for element in svg.iter(space + "title")]
assert any(tip.startswith("blocked ") for tip in tips), tips
width, height = (float(svg.get(key)) for key in ("width", "height"))
for box in svg.iter(space + "rect"):
    if box.get("x"):
        right = float(box.get("x")) + float(box.get("width"))
        bottom = float(box.get("y")) + float(box.get("height"))
        assert 0 <= right <= width and bottom <= height, box.attrib
assert "href" not in open(f"{folder}/timeline.svg").read()
