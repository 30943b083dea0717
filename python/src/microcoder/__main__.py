"""`python -m microcoder` is `mc-eval`."""

import os
import sys

from microcoder.binary import BinaryNotFoundError, find_binary


def main() -> None:
    try:
        binary = find_binary()
    except BinaryNotFoundError as error:
        sys.exit(f"microcoder: {error}")
    os.execv(binary, ["mc-eval", *sys.argv[1:]])


if __name__ == "__main__":
    main()
