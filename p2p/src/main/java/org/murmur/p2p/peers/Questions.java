package org.murmur.p2p.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncSettings;

/**
 * The open questions of one link, in the order asked. Peers answer in that order. A pong closes the
 * question that its ping stands behind.
 *
 * <p>One question at a time measures silence ({@link #awaited}). Only an answer to an open question
 * earns {@link Patience}.
 */
public final class Questions {

  private final Patience patience;
  private final Set<Question> open = new LinkedHashSet<>();
  // By kind: when one was last answered, or asked while none of that kind was owed.
  private final Map<Question.Kind, Instant> waitingSince = new EnumMap<>(Question.Kind.class);
  private final Map<Question.Kind, Integer> owed = new EnumMap<>(Question.Kind.class);

  Questions(Patience patience) {
    this.patience = patience;
  }

  /** Opens a question; if nothing was owed so far, the time to answer begins now. */
  Question open(
      Question.Kind kind, int owed, @Nullable Long ping, Question.Owner owner, Instant now) {
    if (owed > 0 && !owes()) {
      patience.begins(now);
    }
    if (!owes(kind)) {
      waitingSince.put(kind, now);
    }
    Question question = new Question(kind, owed, ping, owner, now);
    open.add(question);
    count(kind, owed);
    return question;
  }

  /** Closes the open questions of a kind without notifying their owners. */
  void drop(Question.Kind kind) {
    open.removeIf(question -> question.kind() == kind);
    owed.remove(kind);
  }

  /** Some of what a question owes has come. */
  public void answered(Question question, int count, Instant now) {
    waitingSince.put(question.kind(), now);
    passed(question, count);
  }

  /** Some of what a question owes will not come. */
  public void passed(Question question, int count) {
    question.owesLess(count);
    count(question.kind(), -count);
    if (!question.isOpen()) {
      open.remove(question);
    }
  }

  /** Returns the open question that a ping stands behind, or null. */
  public @Nullable Question behind(long ping) {
    for (Question question : open) {
      if (question.hasPing(ping)) {
        return question;
      }
    }
    return null;
  }

  /** Closes a question at its pong: notifies its owner, and nothing more is owed. */
  public Refusal close(Question question) {
    Refusal refusal = question.close();
    passed(question, question.owed());
    return refusal;
  }

  /** Whether no ping is open that was sent before the one behind a question. */
  public boolean isOldestPing(Question question) {
    for (Question other : open) {
      if (other.hasPing()) {
        return other == question;
      }
    }
    return true;
  }

  /** How many pings have no pong yet. */
  public int pings() {
    return (int) open.stream().filter(Question::hasPing).count();
  }

  /** How much is owed for all questions of a kind. */
  public int owed(Question.Kind kind) {
    return owed.getOrDefault(kind, 0);
  }

  /** Whether anything is owed for questions of a kind. */
  public boolean owes(Question.Kind kind) {
    return owed(kind) > 0;
  }

  /** Whether anything is owed at all, so that silence is a stall. */
  public boolean owes() {
    return owed.values().stream().anyMatch(count -> count > 0);
  }

  /**
   * When a question of this kind was last answered, or asked while none was owed.
   *
   * @return the steady time; {@link Instant#EPOCH} if none was ever asked
   */
  public Instant waitingSince(Question.Kind kind) {
    return waitingSince.getOrDefault(kind, Instant.EPOCH);
  }

  /** The message at hand answers an open question, and has something that had not come yet. */
  public void earns(Patience.Answer answer, Instant now) {
    Patience.Answer urgency = Patience.Answer.NEWS;
    for (Question.Kind kind : Question.Kind.values()) {
      if (owes(kind) && kind.urgency().compareTo(urgency) > 0) {
        urgency = kind.urgency();
      }
    }
    patience.earns(answer, urgency, now);
  }

  /**
   * The question by which the peer's silence is measured, or null if none is open: a whole block,
   * else the first for which something is owed, else the first whose pong is missing.
   */
  public @Nullable Question awaited() {
    Question awaited = null;
    for (Question question : open) {
      if (question.owed() > 0 && question.kind() == Question.Kind.WHOLE_BLOCK) {
        return question;
      }
      if (awaited == null || (awaited.owed() == 0 && question.owed() > 0)) {
        awaited = question;
      }
    }
    return awaited;
  }

  /** When the peer's silence has lasted too long, or null if no question is open. */
  public @Nullable Instant deadline(SyncSettings settings) {
    Question awaited = awaited();
    if (awaited == null) {
      return null;
    }
    Duration limit = awaited.limit(settings);
    return (isAnsweredPieceByPiece(awaited) ? patience.since() : undisturbedSince(awaited))
        .plus(limit);
  }

  private void count(Question.Kind kind, int more) {
    owed.merge(kind, more, Integer::sum);
  }

  private static boolean isAnsweredPieceByPiece(Question question) {
    return question.owed() > 0
        && switch (question.kind()) {
          case CONNECTION, HANDSHAKE, WHOLE_BLOCK -> false;
          default -> true;
        };
  }

  /**
   * Since when nothing else can have delayed the answer. It is not seen before all of it is here,
   * and blocks that were asked for before it come first.
   */
  private Instant undisturbedSince(Question question) {
    Instant since = question.askedAt();
    since = latest(since, waitingSince(Question.Kind.BLOCKS));
    return latest(since, waitingSince(Question.Kind.WHOLE_BLOCK));
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }
}
