"""The pages of those who run the site: what is public and what concerns accounts, read-mostly."""
