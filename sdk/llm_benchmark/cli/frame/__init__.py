"""What every command stands on: options, output, refusals, files of one's own."""
