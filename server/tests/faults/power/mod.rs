//! Power cuts: the kernel dies with the server, and with it all that was only in its page cache.

mod cable;
mod cuts;
mod machine;
