"""What schemathesis reads for `fuzz.py`."""

import schemathesis


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    """Lists and objects stand in an address as they are; with one of these it is the address of something else."""
    return all(isinstance(value, str) or not set("/?#") & set(str(value)) for value in (path_parameters or {}).values())
