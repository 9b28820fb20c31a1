package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.testbed.world.network.ConversationLog;

/**
 * Own and foreign transactions are indistinguishable to a guard. This rule knows only what was said
 * on the guard's line and when. From that alone it says what the client requests after an
 * announcement, and after how many pushed transactions it leaves. So no answer can depend on whose
 * transaction it is.
 */
final class EqualTreatment implements MessageRules {

  /** So many unrequested transactions in one go end the connection. */
  static final int PUSHES = 20;

  /** How long one of them counts. */
  static final Duration FORGIVEN = Duration.ofSeconds(50);

  /** Above as many open requests, the client may let announcements wait. */
  private static final int MANY = 1_000;

  /** Pushed transactions that still count. */
  private static final class Score {
    private double pushes;
    private Instant at = Instant.MIN;

    void push(Instant now) {
      double forgiven =
          pushes == 0 ? 0 : (double) Duration.between(at, now).toMillis() / FORGIVEN.toMillis();
      pushes = Math.max(0, pushes - forgiven) + 1;
      at = now;
    }

    boolean isFull() {
      // Within the precision of sums of fractions.
      return pushes > PUSHES - 1e-6;
    }
  }

  /** The messages on a line. */
  private static final class Line {
    final Set<Hash256> came = new HashSet<>();
    final Set<Hash256> wanted = new HashSet<>();
    final Set<Hash256> due = new LinkedHashSet<>();
    // Proven in a block: the transaction may come as a part of it.
    final Set<Hash256> proven = new HashSet<>();
    // Pushed for certain, and perhaps.
    final Score certain = new Score();
    final Score perhaps = new Score();
    // The client ignores all that comes before the version message.
    boolean greeted;
    boolean crowded;
  }

  private final Map<ConversationLog, Line> lines = new HashMap<>();

  private Line of(ConversationLog line) {
    return lines.computeIfAbsent(line, log -> new Line());
  }

  @Override
  public void received(ConversationLog log, Message message, Instant now) {
    Line line = of(log);
    line.greeted |= message instanceof Message.Version;
    if (message instanceof Message.Inv inv) {
      if (log.shown != null) {
        announced(line, inv);
      }
    } else if (message instanceof Message.TxMessage tx) {
      Hash256 txid = tx.tx().txid();
      if (!line.wanted.remove(txid)) {
        line.perhaps.push(now);
        if (line.greeted && !line.proven.contains(txid)) {
          line.certain.push(now);
        }
      }
      line.came.add(txid);
    } else if (message instanceof Message.NotFound missing) {
      missing.items().forEach(item -> line.wanted.remove(item.hash()));
    } else if (message instanceof Message.MerkleBlockMessage block
        && block.merkleBlock().verify() instanceof Verdict.Proven proven) {
      proven.matches().forEach(match -> line.proven.add(match.txid()));
    }
  }

  private static void announced(Line line, Message.Inv inv) {
    line.crowded |= line.wanted.size() + inv.items().size() > MANY;
    for (InventoryItem item : inv.items()) {
      Hash256 txid = item.hash();
      if (item.type() == InventoryItem.TX
          && !line.came.contains(txid)
          && !line.wanted.contains(txid)) {
        line.due.add(txid);
      }
    }
  }

  @Override
  public void sent(ConversationLog log, Message message) {
    if (log.shown == null
        || !(message instanceof Message.GetData ask)
        || ask.items().get(0).type() == InventoryItem.FILTERED_BLOCK) {
      return;
    }
    Line line = of(log);
    List<Hash256> asked = new ArrayList<>();
    ask.items().forEach(item -> asked.add(item.hash()));
    Set<Hash256> due = due(line);
    require(
        line.crowded || due.equals(new HashSet<>(sure(line, asked))),
        "%s announced %s and is asked for %s: it can tell them apart",
        log,
        due,
        asked);
    line.wanted.addAll(asked);
    line.due.clear();
  }

  private static Set<Hash256> due(Line line) {
    return new HashSet<>(sure(line, line.due));
  }

  /** Without those that perhaps came in a block. */
  private static List<Hash256> sure(Line line, Iterable<Hash256> txids) {
    List<Hash256> sure = new ArrayList<>();
    for (Hash256 txid : txids) {
      if (!line.proven.contains(txid)) {
        sure.add(txid);
      }
    }
    return sure;
  }

  @Override
  public void answered(ConversationLog log) {
    Line line = of(log);
    Set<Hash256> due = due(line);
    require(
        line.crowded || due.isEmpty(),
        "%s announced %s and is not asked for it: it can tell that we know it",
        log,
        due);
    line.due.clear();
    require(
        log.shown == null || !line.certain.isFull(),
        "%s pushed %d transactions and is kept: it can tell that they are ours",
        log,
        PUSHES);
  }

  @Override
  public void dropped(ConversationLog log, DisconnectReason reason, String detail) {
    require(
        reason != DisconnectReason.UNASKED
            || !detail.startsWith("transaction ")
            || of(log).perhaps.isFull(),
        "%s pushed fewer than %d transactions and is dropped: it can tell whose they are",
        log,
        PUSHES);
    lines.remove(log);
  }
}
