package org.murmur.testbed.hostile;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * The expected end of the sync in each situation.
 *
 * @param reasons the reasons for which the hostile peer may be dropped
 * @param othersReasons the reasons for which honest peers may be dropped
 * @param dropped the situations in which it must be dropped for one of them
 * @param within how long a client that does not follow may take
 * @param batchBytes how many bytes of transactions the client may hand to its disk at once
 */
public record Expectation(
    Map<Situation, End> ends,
    Set<DisconnectReason> reasons,
    Set<DisconnectReason> othersReasons,
    Set<Situation> dropped,
    Duration within,
    int batchBytes) {

  private static final Duration WITHIN = Duration.ofMinutes(3);
  private static final int BATCH_BYTES = 100_000;

  public Expectation {
    ends = Collections.unmodifiableMap(new EnumMap<>(ends));
    reasons = Set.copyOf(reasons);
    othersReasons = Set.copyOf(othersReasons);
    dropped = Set.copyOf(dropped);
  }

  /** The truth in every situation. */
  public static Expectation truth(DisconnectReason... reasons) {
    Map<Situation, End> ends = new EnumMap<>(Situation.class);
    for (Situation situation : Situation.values()) {
      ends.put(situation, End.TRUTH);
    }
    return new Expectation(ends, Set.of(reasons), Set.of(), Set.of(), WITHIN, BATCH_BYTES);
  }

  /**
   * The truth if an honest peer is there; otherwise the sync never completes, and the peer must be
   * dropped.
   */
  public static Expectation truthFromOthers(DisconnectReason... reasons) {
    return truth(reasons)
        .ending(End.INCOMPLETE, Situation.ALONE, Situation.AS_GUARD)
        .lettingGo(Situation.ALONE, Situation.AS_GUARD);
  }

  /**
   * The peer has mined a block that cannot be served honestly. It has the most work, so the sync is
   * complete only after the honest chain has outgrown it, as it does where the client follows.
   * Until then honest peers lack it.
   */
  public static Expectation minedOnTop(DisconnectReason reason) {
    return truth(reason)
        .lettingOthersGo(DisconnectReason.LACKS_BLOCKS)
        .ending(
            End.INCOMPLETE,
            Situation.ALONE,
            Situation.BESIDE_AN_HONEST_PEER,
            Situation.COMPARED,
            Situation.AS_GUARD)
        .lettingGo(Situation.values());
  }

  /** Changes how the sync ends. */
  public Expectation ending(End end, Situation... situations) {
    Map<Situation, End> changed = new EnumMap<>(ends);
    for (Situation situation : situations) {
      changed.put(situation, end);
    }
    return new Expectation(changed, reasons, othersReasons, dropped, within, batchBytes);
  }

  /** Adds situations in which the client must disconnect the hostile peer. */
  public Expectation lettingGo(Situation... situations) {
    Set<Situation> more = EnumSet.noneOf(Situation.class);
    more.addAll(dropped);
    more.addAll(List.of(situations));
    return new Expectation(ends, reasons, othersReasons, more, within, batchBytes);
  }

  Expectation lettingOthersGo(DisconnectReason... honest) {
    return new Expectation(ends, reasons, Set.of(honest), dropped, within, batchBytes);
  }

  /** Changes how long the sync may take in virtual time. */
  public Expectation within(Duration time) {
    return new Expectation(ends, reasons, othersReasons, dropped, time, batchBytes);
  }

  /** Changes how many bytes of transactions a batch for the disk may have. */
  public Expectation batchesOf(int bytes) {
    return new Expectation(ends, reasons, othersReasons, dropped, within, bytes);
  }
}
