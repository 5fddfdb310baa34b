"""Hand-ins that attack the grader, each made from a right one."""

import json
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell

from homework.grader.problem_set import read_notebook, tested_names
from tests.homework.hand_ins import hand_in

# Cells that run at the end of a right hand-in.
CELLS = {
    "endless loop": "while True:\n    pass",
    "endless, whatever is raised": "while True:\n    try:\n        while True:\n            pass\n"
    "    except BaseException:\n        pass",
    "sleep": "import time\ntime.sleep(10**6)",
    "memory": "kept = [bytearray(10**8) for _ in range(10**6)]",
    "memory without a name": "import os\nheld = os.memfd_create('a')\nos.ftruncate(held, 2**33)\n"
    "while True:\n    os.write(held, bytes(10**7))",
    "shared memory": "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\n"
    "for _ in range(100):\n    ctypes.memset(libc.shmat(libc.shmget(0, 10**8, 0o1600), None, 0), 1, 10**8)",
    "full scratch folder": "for k in range(10**4):\n    open(f'/tmp/{k}', 'wb').write(bytes(10**6))",
    "fork bomb": "import os\nwhile True:\n    os.fork()",
    "busy processes": "import os\nfor _ in range(29):\n    if os.fork() == 0:\n        while True:\n            pass\n"
    "while True:\n    pass",
    "processes that survive": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(10**6)",
    "end of the process": "import os\nos._exit(0)",
    "everything killed": "import os\nos.kill(-1, 9)\nos.kill(os.getppid(), 9)\nos.kill(1, 9)",
    "a crash": "import ctypes\nctypes.string_at(0)",
    "answers in advance, then sleep": "import os, time\nfor number in range(3, 20):\n    try:\n"
    '        os.write(number, b\'{"id": 1, "value": 1}\\n\' * 1000)\n    except OSError:\n        pass\n'
    "time.sleep(10**6)",
    "a full pipe": "import os\nfor number in range(3, 20):\n    try:\n        os.set_blocking(number, True)\n"
    "        while True:\n            os.write(number, b'x' * 60000)\n    except OSError:\n        pass",
    "a closed channel": "import os\nos.closerange(3, 256)",
    "much output": "for _ in range(60):\n    print('x' * 10**6)",
    "many figures": "import matplotlib.pyplot as plt\nfor _ in range(40):\n    plt.figure()\n    plt.plot([1, 2])",
    "lone surrogates": "print('\\ud800')\nraise ValueError('\\udfff')",
    "notes in the keyring": "import ctypes\nctypes.CDLL(None).syscall(248, b'user', b'n', b'x', 1, -4)",
    "locks": "import fcntl, sys\nfcntl.flock(open(sys.executable, 'rb'), fcntl.LOCK_EX)",
    "its own namespace": "import os\nos.unshare(os.CLONE_NEWUSER) if hasattr(os, 'unshare') else 1 / 0",
    "a look around": "import glob\nprint(glob.glob('/**/*.ipynb', recursive=True))",
    "a patched library": "import pla_lib\npla_lib.expect = lambda *a, **k: None",
    "another student": "STUDENT = 'a' * 15_000_000",
}
# Values that every answer is replaced by, or returns.
VALUES = {
    "not a number": "float('nan')",
    "numbers that collide": "[k * (2**61 - 1) for k in range(35_000)]",
    "keys that collide": "{k * (2**61 - 1): 0 for k in range(3_000)}",
    "a number in words": "['1e4000000000', '1e4000000000', '1e4000000000']",
    "very long numbers": "[[10**3900 + k for k in range(20)] for _ in range(5)]",
    "rows of nothing": "__import__('numpy').empty((20_000_000, 0))",
    "much data": "__import__('numpy').zeros(10**7)",
    "lists in lists": "__import__('functools').reduce(lambda inner, _: [inner], range(900), 0)",
    "an object": "object()",
}


def _with_markdown(notebook, student):
    notebook.cells.append(new_markdown_cell("<img src=x onerror=fetch('/api/kernels',{method:'POST'})>"))
    return notebook


def _with_metadata(notebook, student):
    text = json.loads(nbformat.writes(notebook))
    text["metadata"]["x"] = ["?"]
    return json.dumps(text).replace('"?"', ",".join(["{}"] * 7_000_000))


def _with_cells(notebook, student):
    text = json.loads(nbformat.writes(notebook))
    text["cells"] += 100_000 * [{"cell_type": "code", "source": "1", "metadata": {}, "outputs": []}]
    return json.dumps(text)


FILES = {
    "a script in the text": _with_markdown,
    "metadata without end": _with_metadata,
    "cells without end": _with_cells,
    "half a file": lambda notebook, student: nbformat.writes(notebook)[:5000],
    "brackets": lambda notebook, student: "[" * 10**6,
    "nothing": lambda notebook, student: "",
}
KINDS = [*CELLS, *VALUES, *FILES]


def hostile_hand_in(problem_set: Path, student: str, kind: str) -> nbformat.NotebookNode | str:
    if kind in CELLS:
        return hand_in(problem_set, student, last=CELLS[kind])
    if kind in VALUES:
        names = tested_names(read_notebook(problem_set))
        functions = [name for name, statement in names.items() if type(statement).__name__ == "FunctionDef"]
        lines = [
            f"{name} = lambda *_: {VALUES[kind]}" if name in functions else f"{name} = {VALUES[kind]}" for name in names
        ]
        return hand_in(problem_set, student, last="\n".join(lines))
    return FILES[kind](hand_in(problem_set, student), student)
