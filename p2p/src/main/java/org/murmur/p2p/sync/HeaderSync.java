package org.murmur.p2p.sync;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Connect;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/** Headers: asked for until a peer has no more, checked, and told to the rest of the machine. */
final class HeaderSync {

  /** An honest peer's announcement can fail to connect now and then, but not again and again. */
  private static final int MAX_ORPHANS = 8;

  private final Session session;

  HeaderSync(Session session) {
    this.session = session;
  }

  /** Asks for what comes behind our tip. */
  void ask(Peer peer) {
    ask(peer, session.chain.locator());
  }

  /**
   * Takes headers in.
   *
   * @return why the peer has to go, or null
   */
  Refusal received(Peer peer, Headers headers) {
    boolean full = headers.count() == Headers.MAX_PER_MESSAGE;
    peer.headersAsked = false;
    if (headers.isEmpty()) {
      peer.headersDone = true;
      return Refusal.NONE;
    }
    peer.headersServed += headers.count();
    if (full && !peer.tooNewAsked) {
      // Ask on before checking: the answer travels while we work. If these headers are bad, the
      // link goes.
      ask(peer, behind(headers.hash(headers.count() - 1)));
    }
    int before = session.chain.height();
    Connect outcome = session.chain.connect(headers, session.now.getEpochSecond());
    if (outcome instanceof Connect.Extended extended) {
      peer.orphans = 0;
      extended(before, extended.forkHeight());
    } else if (outcome instanceof Connect.Orphan) {
      if (peer.tooNewAsked) {
        // What follows on headers that our clock left out; the question was on its way already.
        peer.tooNewAsked = false;
        peer.headersDone = true;
        return Refusal.NONE;
      }
      peer.orphans++;
      if (peer.orphans > MAX_ORPHANS) {
        return new Refusal(DisconnectReason.BAD_HEADERS, "headers that connect to nothing");
      }
      if (!peer.headersAsked) {
        ask(peer);
      }
      return Refusal.NONE;
    } else if (outcome instanceof Connect.Invalid invalid
        && invalid.reason() == Connect.Reason.TIME_TOO_NEW) {
      tooNew(peer, headers, invalid.index());
      peer.orphans = 0;
      peer.tooNewAsked = full;
    } else if (outcome instanceof Connect.Invalid invalid) {
      return new Refusal(
          DisconnectReason.BAD_HEADERS,
          invalid.reason() + " in header " + headers.hash(invalid.index()));
    }
    peer.headersDone = !full && !peer.headersAsked;
    return Refusal.NONE;
  }

  /** Perhaps it is our clock that is wrong: take what stands before, and blame nobody. */
  private void tooNew(Peer peer, Headers headers, int index) {
    session.emit(
        new SyncEvent.Warning(
            peer.link.address()
                + " sends block "
                + headers.hash(index)
                + " with a time over two hours ahead of this machine's clock; it is left out."
                + " Is the clock right?"));
    int before = session.chain.height();
    if (session.chain.connect(headers.slice(0, index), session.now.getEpochSecond())
        instanceof Connect.Extended extended) {
      extended(before, extended.forkHeight());
    }
  }

  private void extended(int before, int fork) {
    if (fork < before) {
      session.book.cutAbove(fork);
      session.peers.values().forEach(peer -> peer.cutAbove(fork));
    }
    session.journal.headersAbove(fork, session.now);
    session.changes++;
    // Blocks that a peer would not serve may be there now.
    for (Peer peer : session.peers.values()) {
      if (peer.askAgainAt != null) {
        peer.askAgainAt = session.now;
      }
    }
  }

  private List<Hash256> behind(Hash256 last) {
    List<Hash256> locator = new ArrayList<>();
    locator.add(last);
    locator.addAll(session.chain.locator());
    return locator;
  }

  private void ask(Peer peer, List<Hash256> locator) {
    peer.beginsToOwe(session.now);
    peer.headersAsked = true;
    peer.headersDone = false;
    session.send(peer, new Message.GetHeaders(locator, Hash256.ZERO));
  }
}
