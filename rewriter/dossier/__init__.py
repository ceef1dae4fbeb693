"""What was asked, searched and found, kept so that it can be read and compared later."""
