package org.murmur.wallet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Wallets of one process that give each other their headers, so that these are downloaded once: 81
 * MB a million. Make one and open all wallets with it:
 *
 * <pre>{@code
 * Storage storage = Storage.jdbc().sharing(new SharedHeaders());
 * SpvWallet spending = SpvWallet.open(one, storage);
 * SpvWallet savings = SpvWallet.open(other, storage);
 * }</pre>
 *
 * <p>A session takes what another open wallet of the same network has when the session begins,
 * except the last headers: 144 to 2,159 of them come from peers. It checks what it takes like
 * headers of a peer. Two first syncs at the same time download twice: begin the second when the
 * first has its headers.
 *
 * <p>Wallets share nothing else. Each has its own connections, and nothing links them at a peer,
 * except that the chain of each may be up to date to the same two weeks when it connects.
 *
 * <p>Thread safe. A wallet leaves when it is closed, also while another one takes its headers.
 */
public final class SharedHeaders {

  private final List<Member> members = new ArrayList<>();

  /** Makes one without wallets. */
  public SharedHeaders() {}

  /**
   * A wallet's place among those that share.
   *
   * @param network the network's {@linkplain ChainParams#text() text}, with the challenge of a
   *     signet
   * @param own gives what the wallet has now
   */
  private record Member(String network, Supplier<HeaderSource> own) {}

  /** The headers that several wallets have. */
  private record Several(List<HeaderSource> all) implements HeaderSource {

    @Override
    public boolean has(int height) {
      return all.stream().anyMatch(one -> one.has(height));
    }

    @Override
    public Headers after(int height, Hash256 block) {
      for (HeaderSource one : all) {
        Headers run = one.after(height, block);
        if (!run.isEmpty()) {
          return run;
        }
      }
      return Headers.NONE;
    }
  }

  /**
   * Lets a wallet take part. Called when it is opened.
   *
   * @param network the wallet's
   * @param own gives what the wallet has now; called on any thread, and must not block
   */
  synchronized void join(ChainParams network, Supplier<HeaderSource> own) {
    members.add(new Member(network.text(), own));
  }

  /**
   * Ends what {@link #join} began.
   *
   * @param own as given there
   */
  synchronized void leave(Supplier<HeaderSource> own) {
    members.removeIf(member -> member.own() == own);
  }

  /**
   * Returns what the other wallets of a network have now.
   *
   * @param network the network
   * @param own the asking wallet's, as given to {@link #join}
   * @return the source for one session
   */
  synchronized HeaderSource others(ChainParams network, Supplier<HeaderSource> own) {
    List<HeaderSource> all = new ArrayList<>();
    for (Member member : members) {
      if (member.own() != own && member.network().equals(network.text())) {
        all.add(member.own().get());
      }
    }
    return all.isEmpty() ? HeaderSource.NONE : new Several(all);
  }
}
