//! A disk by the Network Block Device protocol, as much of it as Linux asks for.
//!
//! User Mode Linux has disks of its own, but its driver answers a flush without passing it on, so no host can tell what
//! has been flushed.
//!
//! <https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md>

use std::fs::File;
use std::io::{self, Error, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use rand::rngs::StdRng;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::write_cache::CachedDisk;

const GREETING: u64 = u64::from_be_bytes(*b"NBDMAGIC");
const OPTION: u64 = u64::from_be_bytes(*b"IHAVEOPT");
const OPTION_REPLY: u64 = 0x0003_e889_0455_65a9;
const REQUEST: u32 = 0x2560_9513;
const REPLY: u32 = 0x6744_6698;

/// Handshake flags: newstyle, without a gap after the export.
const HANDSHAKE: u16 = 0b11;

/// The only option that is needed.
const EXPORT_NAME: u32 = 1;
const UNSUPPORTED: u32 = 0x8000_0001;

/// Transmission flags: there are flags, flushes and force unit access.
const ABILITIES: u16 = 0b1101;

const READ: u16 = 0;
const WRITE: u16 = 1;
const DISCONNECT: u16 = 2;
const FLUSH: u16 = 3;

/// The command flag of force unit access.
const FUA: u16 = 1;

/// Longer than any command of Linux.
const MAX_LENGTH: u32 = 32 << 20;

/// A disk that one machine at a time uses over the network.
pub struct NetworkDisk {
    disk: Arc<Mutex<CachedDisk>>,
    size: u64,
    listener: Arc<TcpListener>,
    serving: Option<JoinHandle<io::Result<()>>>,
}

impl NetworkDisk {
    /// Offers the disk that this file holds at a free port of this address.
    pub async fn new(file: File, address: Ipv4Addr) -> io::Result<Self> {
        Ok(Self {
            size: file.metadata()?.len(),
            disk: Arc::new(Mutex::new(CachedDisk::new(file))),
            listener: Arc::new(TcpListener::bind((address, 0)).await?),
            serving: None,
        })
    }

    /// Where a machine finds it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves the next machine that asks for it.
    pub fn turn_on(&mut self) {
        let (listener, disk, size) = (self.listener.clone(), self.disk.clone(), self.size);
        self.serving = Some(tokio::spawn(
            async move { serve(&listener, &disk, size).await },
        ));
    }

    /// Takes its power away, when the machine has ended. Returns how many blocks have lost something.
    pub async fn lose_power(&mut self, rng: &mut StdRng) -> io::Result<usize> {
        self.stop().await;
        let mut disk = self.disk.lock().expect("a disk");
        disk.lose_power(rng)
    }

    /// Leaves the machine.
    pub async fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            // The machine's end is an error of its connection.
            let _ = serving.await;
        }
    }
}

/// Serves a disk of this size to the next client, until it goes.
async fn serve(listener: &TcpListener, disk: &Mutex<CachedDisk>, size: u64) -> io::Result<()> {
    let (mut client, _) = listener.accept().await?;
    client.set_nodelay(true)?;
    greet(&mut client, size).await?;
    loop {
        if client.read_u32().await? != REQUEST {
            return Err(Error::from(ErrorKind::InvalidData));
        }
        let (flags, command) = (client.read_u16().await?, client.read_u16().await?);
        let (cookie, at) = (client.read_u64().await?, client.read_u64().await?);
        let length = client.read_u32().await?;
        let carries_bytes = [READ, WRITE].contains(&command);
        if carries_bytes && (length > MAX_LENGTH || at.saturating_add(length.into()) > size) {
            return Err(Error::from(ErrorKind::InvalidData));
        }
        let mut bytes = vec![0; if carries_bytes { length as usize } else { 0 }];
        if command == WRITE {
            client.read_exact(&mut bytes).await?;
        }
        {
            let mut disk = disk.lock().expect("a disk");
            match command {
                READ => disk.read(at, &mut bytes)?,
                WRITE if flags & FUA == 0 => disk.write(at, &bytes),
                WRITE => disk.write_through(at, &bytes)?,
                FLUSH => disk.flush()?,
                DISCONNECT => return Ok(()),
                _ => return Err(Error::from(ErrorKind::InvalidData)),
            }
        }
        let mut reply = Vec::with_capacity(16 + bytes.len());
        reply.extend(REPLY.to_be_bytes());
        reply.extend(0_u32.to_be_bytes());
        reply.extend(cookie.to_be_bytes());
        if command == READ {
            reply.extend(bytes);
        }
        client.write_all(&reply).await?;
    }
}

/// Agrees on the disk.
async fn greet(client: &mut TcpStream, size: u64) -> io::Result<()> {
    client.write_u64(GREETING).await?;
    client.write_u64(OPTION).await?;
    client.write_u16(HANDSHAKE).await?;
    client.read_u32().await?;
    loop {
        if client.read_u64().await? != OPTION {
            return Err(Error::from(ErrorKind::InvalidData));
        }
        let (option, length) = (client.read_u32().await?, client.read_u32().await?);
        let mut argument = (&mut *client).take(length.into());
        tokio::io::copy(&mut argument, &mut tokio::io::sink()).await?;
        if option == EXPORT_NAME {
            client.write_u64(size).await?;
            return client.write_u16(ABILITIES).await;
        }
        client.write_u64(OPTION_REPLY).await?;
        client.write_u32(option).await?;
        client.write_u32(UNSUPPORTED).await?;
        client.write_u32(0).await?;
    }
}
