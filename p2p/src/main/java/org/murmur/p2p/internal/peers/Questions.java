package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.SyncSettings;

/**
 * The open requests of one link, in the order sent. Peers answer in that order. A pong closes the
 * request before its ping.
 *
 * <p>One request at a time measures silence ({@link #awaited}). Only an answer to an open request
 * earns {@link Patience}.
 */
public final class Questions {

  private final Patience patience;
  private final Set<Question> open = new LinkedHashSet<>();
  // By kind: when one was last answered, or sent while none of that kind was owed.
  private final Map<Question.Kind, Instant> waitingSince = new EnumMap<>(Question.Kind.class);
  private final Map<Question.Kind, Integer> owed = new EnumMap<>(Question.Kind.class);

  Questions(Patience patience) {
    this.patience = patience;
  }

  /** Opens a request; if nothing was owed so far, the time to answer begins now. */
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

  /** Closes the open requests of a kind without notifying their owners. */
  void drop(Question.Kind kind) {
    open.removeIf(question -> question.kind() == kind);
    owed.remove(kind);
  }

  /** A part of the owed answers has come. */
  public void answered(Question question, int count, Instant now) {
    waitingSince.put(question.kind(), now);
    passed(question, count);
  }

  /** A part of the owed answers will not come. */
  public void passed(Question question, int count) {
    question.owesLess(count);
    count(question.kind(), -count);
    if (!question.isOpen()) {
      open.remove(question);
    }
  }

  /** Returns the open request before a ping, or null. */
  public @Nullable Question behind(long ping) {
    for (Question question : open) {
      if (question.hasPing(ping)) {
        return question;
      }
    }
    return null;
  }

  /** Closes a request at its pong: notifies its owner, and nothing more is owed. */
  public Refusal close(Question question) {
    Refusal refusal = question.close();
    passed(question, question.owed());
    return refusal;
  }

  /** Whether no ping is open that was sent before the one after a request. */
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

  /** How many answers are owed for all requests of a kind. */
  public int owed(Question.Kind kind) {
    return owed.getOrDefault(kind, 0);
  }

  /** Whether answers are owed for requests of a kind. */
  public boolean owes(Question.Kind kind) {
    return owed(kind) > 0;
  }

  /** Whether any answer is owed, so that silence is a stall. */
  public boolean owes() {
    return owed.values().stream().anyMatch(count -> count > 0);
  }

  /** Whether answers are owed, and all of them come piece by piece. */
  public boolean owesPieces() {
    boolean owes = false;
    for (Question question : open) {
      if (question.owed() > 0) {
        if (question.kind().comesAtOnce()) {
          return false;
        }
        owes = true;
      }
    }
    return owes;
  }

  /**
   * The steady time when a request of this kind was last answered, or sent while none was owed;
   * {@link Instant#EPOCH} if none was ever sent.
   */
  public Instant waitingSince(Question.Kind kind) {
    return waitingSince.getOrDefault(kind, Instant.EPOCH);
  }

  /** The current message answers an open request, and has new content. */
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
   * The request by which the peer's silence is measured, or null if none is open: a whole block,
   * else the first that is owed an answer, else the first whose pong is missing.
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

  /** When the peer's silence has lasted too long, or null if no request is open. */
  public @Nullable Instant deadline(SyncSettings settings) {
    Question awaited = awaited();
    if (awaited == null) {
      return null;
    }
    Duration limit = awaited.limit(settings);
    boolean inPieces = awaited.owed() > 0 && !awaited.kind().comesAtOnce();
    return (inPieces ? patience.since() : undisturbedSince(awaited)).plus(limit);
  }

  private void count(Question.Kind kind, int more) {
    owed.merge(kind, more, Integer::sum);
  }

  /**
   * The time from which on nothing else can have delayed the answer. An answer is visible only when
   * complete, and blocks that were requested before it come first.
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
