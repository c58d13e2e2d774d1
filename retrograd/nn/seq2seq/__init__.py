"""Networks from sequence to sequence: helpers, decoders, attention, beam search."""
