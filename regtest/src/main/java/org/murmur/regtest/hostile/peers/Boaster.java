package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.hostile.Situation;

/** Claims more blocks than its headers show. */
public final class Boaster implements Hostile {

  private final int more;
  private final boolean silent;

  /**
   * Makes one.
   *
   * @param more how many blocks more than the honest chain it claims
   * @param silent whether all its headers messages are empty
   */
  public Boaster(int more, boolean silent) {
    this.more = more;
    this.silent = silent;
  }

  @Override
  public String sentence() {
    return "Claims "
        + more
        + " blocks more than there are, and sends "
        + (silent ? "no headers." : "the headers that there are.");
  }

  @Override
  public Mask mask(Scene scene) {
    return new Mask() {
      @Override
      public List<Message> says(Message message) {
        if (message instanceof Message.Version v) {
          return List.of(
              new Message.Version(
                  v.protocol(),
                  v.services(),
                  v.time(),
                  v.nonce(),
                  v.userAgent(),
                  v.startHeight() + more,
                  v.relay()));
        }
        boolean hidden = silent && message instanceof Message.HeadersMessage;
        return List.of(hidden ? new Message.HeadersMessage(Headers.NONE) : message);
      }
    };
  }

  @Override
  public Expectation expectation() {
    return Expectation.truthFromOthers(DisconnectReason.CLAIM_NOT_KEPT)
        .lettingGo(Situation.BESIDE_AN_HONEST_PEER, Situation.COMPARED, Situation.FOLLOWED);
  }
}
