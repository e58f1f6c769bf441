//! Power cuts: the kernel dies with the server, and with it all that was only in its page cache, or only in the cache of
//! its disk.

mod cable;
mod cuts;
mod installation;
mod machine;
mod nbd;
mod write_cache;
