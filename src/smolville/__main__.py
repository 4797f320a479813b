"""`python -m smolville` is the command `smolville`."""

from smolville.cli.main import main

if __name__ == "__main__":
    main()
