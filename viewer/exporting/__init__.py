"""Export of a run as one HTML file with the stage and the film, which plays without a server."""
