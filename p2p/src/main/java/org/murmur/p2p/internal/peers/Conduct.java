package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * The offences of one peer so far, and when they suffice to disconnect it. Pure: the time is an
 * argument.
 *
 * <p>Two measures, because misbehaviour comes in two forms; a third one, silence, is a matter of
 * {@link Patience}:
 *
 * <ul>
 *   <li><b>Rations</b> for what an honest peer also sends, but not without end. Each {@link Ration}
 *       is a bucket that fills with time; when it is empty the peer is flooding.
 *   <li><b>A score</b> for what an honest peer might do once, by accident or in a race: each {@link
 *       Offence} has its points, a point is forgiven every {@value #FORGIVEN_SECONDS} seconds, and
 *       at {@value #FULL_SCORE} the peer goes.
 * </ul>
 *
 * <table>
 *   <caption>Offence, score, consequence</caption>
 *   <tr><th>offence</th><th>score</th><th>consequence</th></tr>
 *   <tr><td>unasked transaction that our filter may match</td><td>5</td>
 *       <td>{@link DisconnectReason#UNASKED} at 100</td></tr>
 *   <tr><td>transaction that our filter, as sent and as a server can have grown it, does not
 *       match</td><td>20; 100 if the filter cannot grow</td>
 *       <td>{@link DisconnectReason#NOT_MATCHING} at 100</td></tr>
 *   <tr><td>more than its ration</td><td>at once</td>
 *       <td>{@link DisconnectReason#FLOODING}</td></tr>
 *   <tr><td>blocks go on behind a ping that was not answered</td><td>at once</td>
 *       <td>{@link DisconnectReason#PING_TIMEOUT}</td></tr>
 * </table>
 *
 * <p>What is wrong by itself (a proof that does not prove, an unrequested block, headers that break
 * the rules) needs no memory and is refused where it is noticed. {@code docs/misbehaviour.md} has
 * all of it together, with the back-offs.
 */
public final class Conduct {

  /** At this score a peer is dropped. */
  static final int FULL_SCORE = 100;

  /** How long a point counts against a peer. */
  static final int FORGIVEN_SECONDS = 10;

  /** Bytes of an unsolicited message that count as one more message. */
  private static final int BYTES_A_UNIT = 10_000;

  private static final int BYTES_A_KILOBYTE = 1_000;

  /** Messages that an honest peer also sends, but not without end. */
  public enum Ration {
    /**
     * Entries of {@code inv}. The answer to {@code mempool} comes in messages of up to 50,000; a
     * filter that lets more than two of them through does not filter.
     */
    ANNOUNCEMENTS(100_000, 100, "announcements"),
    /**
     * Entries of {@code addr}. We ask once, and an answer has 1,000; Core takes no more at a time.
     */
    ADDRESSES(5_000, 1, "addresses"),
    /** Core sends one in two minutes. */
    PINGS(100, 1, "pings"),
    /** We serve our own broadcasts only, so a peer has little to request. In units of one entry. */
    QUESTIONS(1_000, 1, "questions"),
    /**
     * Unconfirmed transactions, in started kilobytes. The answer to {@code mempool} can be 60,000
     * of them ({@code Relay#MAX_WANTED}, {@code Relay#MAX_WAITING}). After that the whole network
     * confirms no more than 7 kB a second, and Core announces 7 transactions a second.
     */
    TRANSACTIONS(100_000, 100, "kB of unconfirmed transactions"),
    /**
     * Kilobytes before the version handshake, and to a node that is asked for addresses only. The
     * longest answer, of a thousand addresses, has 30 or 540.
     */
    STRANGER(1_000, 10, "kB from a peer that was asked for addresses only, or for nothing yet"),
    /**
     * Bytes that we send because a peer asks or announces something, beyond those that it sends: an
     * announcement of 61 bytes brings it a question for headers of a thousand.
     */
    ANSWERS(2_000_000, 1_000, "bytes to send beyond those that it sent"),
    /** Useless messages: unknown commands, refusals and announcements of nothing new. */
    NOISE(1_000, 1, "messages of no use");

    private final int most;
    private final int perSecond;
    private final String noun;

    Ration(int most, int perSecond, String noun) {
      this.most = most;
      this.perSecond = perSecond;
      this.noun = noun;
    }

    /** The largest burst. */
    public int most() {
      return most;
    }
  }

  /** Offences that an honest peer might commit once. */
  public enum Offence {
    /** Perhaps a friend's wallet software pushes a transaction that it thinks concerns us. */
    UNASKED_TRANSACTION(5, DisconnectReason.UNASKED),
    /** Perhaps the server-side filter grew by something that never reached us. */
    FOREIGN_TRANSACTION(20, DisconnectReason.NOT_MATCHING),
    /** The same under a filter that does not grow: proof. */
    FOREIGN_TO_A_FIXED_FILTER(FULL_SCORE, DisconnectReason.NOT_MATCHING);

    private final int points;
    private final DisconnectReason reason;

    Offence(int points, DisconnectReason reason) {
      this.points = points;
      this.reason = reason;
    }
  }

  private static final class Bucket {
    double left;
    Instant filledAt;

    Bucket(double left, Instant filledAt) {
      this.left = left;
      this.filledAt = filledAt;
    }
  }

  private final Map<Ration, Bucket> buckets = new EnumMap<>(Ration.class);
  private double score;
  private Instant scoredAt;

  public Conduct(Instant since) {
    scoredAt = since;
    for (Ration ration : Ration.values()) {
      buckets.put(ration, new Bucket(ration.most, since));
    }
  }

  /** Counts a message of a link on which nothing is asked but its version, or for addresses. */
  public Refusal heardEarly(Message message, int wireBytes, Instant now) {
    Refusal refusal = take(Ration.STRANGER, 1 + wireBytes / BYTES_A_KILOBYTE, now);
    return refusal.isRefusal() ? refusal : byKind(message, wireBytes, now);
  }

  /** Counts a message by its kind, before it is processed. */
  public Refusal heard(Message message, int wireBytes, Instant now) {
    give(Ration.ANSWERS, wireBytes);
    return byKind(message, wireBytes, now);
  }

  private Refusal byKind(Message message, int wireBytes, Instant now) {
    if (message instanceof Message.Inv inv) {
      return take(Ration.ANNOUNCEMENTS, Math.max(1, inv.items().size()), now);
    }
    if (message instanceof Message.Addr addr) {
      return take(Ration.ADDRESSES, Math.max(1, addr.addresses().size()), now);
    }
    if (message instanceof Message.AddrV2 addr) {
      return take(Ration.ADDRESSES, Math.max(1, addr.addresses().size()), now);
    }
    if (message instanceof Message.Ping) {
      return take(Ration.PINGS, 1, now);
    }
    if (message instanceof Message.GetData ask) {
      return take(Ration.QUESTIONS, Math.max(1, ask.items().size()), now);
    }
    if (message instanceof Message.GetHeaders || message instanceof Message.GetBlocks) {
      return take(Ration.QUESTIONS, 10, now);
    }
    return isAnswer(message) ? Refusal.NONE : noise(wireBytes, now);
  }

  /** Whether it may be an answer to a request of ours; if not, that is found out later. */
  private static boolean isAnswer(Message message) {
    return message instanceof Message.MerkleBlockMessage
        || message instanceof Message.TxMessage
        || message instanceof Message.BlockMessage
        || message instanceof Message.HeadersMessage
        || message instanceof Message.CFilter
        || message instanceof Message.CFHeaders
        || message instanceof Message.CFCheckpt
        || message instanceof Message.NotFound
        || message instanceof Message.Pong;
  }

  /** Counts a message that turned out to be useless. */
  public Refusal noise(int wireBytes, Instant now) {
    return take(Ration.NOISE, 1 + wireBytes / BYTES_A_UNIT, now);
  }

  /** Counts an unconfirmed transaction that the peer announced itself or pushed. */
  public Refusal handedOver(int wireBytes, Instant now) {
    return take(Ration.TRANSACTIONS, 1 + wireBytes / BYTES_A_KILOBYTE, now);
  }

  /** Counts a message that is sent to the peer. */
  void sends(Message message, Instant now) {
    int bytes = answerBytes(message);
    if (bytes > 0) {
      take(Ration.ANSWERS, bytes, now);
    }
  }

  /** Refuses a peer that makes us send too much. */
  public Refusal answered(Instant now) {
    return take(Ration.ANSWERS, 0, now);
  }

  /** The bytes of a message that a peer's question or announcement brings about; 0 for others. */
  private static int answerBytes(Message message) {
    if (message instanceof Message.GetHeaders ask) {
      return 61 + Hash256.LENGTH * ask.locator().size();
    }
    if (message instanceof Message.GetData ask) {
      return 27 + 36 * ask.items().size();
    }
    if (message instanceof Message.TxMessage tx) {
      return Frame.HEADER_LENGTH + tx.tx().raw().length();
    }
    boolean small = message instanceof Message.HeadersMessage || message instanceof Message.Pong;
    return small ? 32 : 0;
  }

  private void give(Ration ration, int units) {
    Bucket bucket = bucket(ration);
    bucket.left = Math.min(ration.most, bucket.left + units);
  }

  private Bucket bucket(Ration ration) {
    Bucket bucket = buckets.get(ration);
    if (bucket == null) {
      throw new AssertionError("no bucket for " + ration);
    }
    return bucket;
  }

  private Refusal take(Ration ration, int units, Instant now) {
    Bucket bucket = bucket(ration);
    double more = ration.perSecond * seconds(bucket.filledAt, now);
    bucket.left = Math.min(ration.most, bucket.left + more) - units;
    bucket.filledAt = now;
    return bucket.left >= 0
        ? Refusal.NONE
        : new Refusal(
            DisconnectReason.FLOODING,
            "more than "
                + ration.most
                + " "
                + ration.noun
                + " and "
                + ration.perSecond
                + " more each second");
  }

  /** Adds an offence to the peer's score; refuses the peer when it is full. */
  public Refusal commits(Offence offence, String detail, Instant now) {
    score = Math.max(0, score - seconds(scoredAt, now) / FORGIVEN_SECONDS) + offence.points;
    scoredAt = now;
    return score < FULL_SCORE ? Refusal.NONE : new Refusal(offence.reason, detail);
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1e3);
  }
}
