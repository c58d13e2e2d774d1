"""What gradients do in a run: how large they are, line by line of the program, and what is wrong with them."""
