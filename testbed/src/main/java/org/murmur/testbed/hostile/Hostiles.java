package org.murmur.testbed.hostile;

import static org.murmur.p2p.sync.DisconnectReason.BAD_PROOF;
import static org.murmur.p2p.sync.DisconnectReason.CLAIM_NOT_KEPT;
import static org.murmur.p2p.sync.DisconnectReason.FLOODING;
import static org.murmur.p2p.sync.DisconnectReason.INVALID_TRANSACTION;
import static org.murmur.p2p.sync.DisconnectReason.LACKS_BLOCKS;
import static org.murmur.p2p.sync.DisconnectReason.NOT_MATCHING;
import static org.murmur.p2p.sync.DisconnectReason.PRUNED;
import static org.murmur.p2p.sync.DisconnectReason.STALE_TIP;
import static org.murmur.p2p.sync.DisconnectReason.STALLED;
import static org.murmur.p2p.sync.DisconnectReason.UNASKED;
import static org.murmur.testbed.hostile.Expectation.minedOnTop;
import static org.murmur.testbed.hostile.Expectation.truth;
import static org.murmur.testbed.hostile.Expectation.truthFromOthers;
import static org.murmur.testbed.hostile.Hostile.aimed;
import static org.murmur.testbed.hostile.Hostile.telling;
import static org.murmur.testbed.hostile.Situation.ALONE;
import static org.murmur.testbed.hostile.Situation.AS_GUARD;
import static org.murmur.testbed.hostile.Situation.BESIDE_AN_HONEST_PEER;
import static org.murmur.testbed.hostile.Situation.COMPARED;
import static org.murmur.testbed.hostile.Situation.FOLLOWED;

import java.time.Duration;
import java.util.List;
import org.murmur.regtest.lies.ClaimsBlocks;
import org.murmur.regtest.lies.Echoes;
import org.murmur.regtest.lies.Empty;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.Refuses;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.hostile.Hostile.Payment;

/** All hostile peers. */
public final class Hostiles {

  /** How far a laggard is behind. */
  private static final int BEHIND = 67;

  private Hostiles() {}

  /** Returns all of them. */
  public static List<Hostile> all() {
    Expectation tooMuch =
        truthFromOthers(CLAIM_NOT_KEPT).lettingGo(BESIDE_AN_HONEST_PEER, COMPARED, FOLLOWED);
    return List.of(
        telling("Withholder", Misdeed.WITHHELD_TRANSACTIONS, truthFromOthers(LACKS_BLOCKS)),
        telling("Latecomer", Misdeed.LATE_TRANSACTIONS, truthFromOthers(LACKS_BLOCKS, UNASKED)),
        telling(
            "AfterPong", Misdeed.TRANSACTIONS_AFTER_PONG, truthFromOthers(LACKS_BLOCKS, UNASKED)),
        telling(
            "Replacer",
            Misdeed.REPLACED_TRANSACTIONS,
            truthFromOthers(LACKS_BLOCKS, UNASKED, NOT_MATCHING)),
        telling("Doubler", Misdeed.UNASKED_TRANSACTIONS, truthFromOthers(UNASKED)),
        telling("Padder", Misdeed.PADDED_WITNESS, truth()),
        telling("Repeater", Misdeed.REPEATED_TRANSACTION, truthFromOthers(STALLED, UNASKED)),
        aimed(
            "PayingFlood",
            Announcer::flooding,
            truth(FLOODING).lettingGo(FOLLOWED).batchesOf(16 << 20)),
        aimed("Forger", Announcer::forging, truth(FLOODING)),
        telling("Mute", Ignores.HEADERS, truthFromOthers(STALLED).within(Duration.ofSeconds(60))),
        // It answers at once.
        telling(
                "Laggard",
                new StaleTip(Stage.HEIGHT - BEHIND),
                truth(STALE_TIP).ending(End.LOWER_TIP, ALONE, AS_GUARD))
            .among(Behaviour.honest().withRoundTrip(Duration.ofSeconds(5))),
        new Hostile(
            "Pruned",
            script -> Behaviour.honest().pruned().with(new OldBlocks()),
            Behaviour.honest(),
            Payment.NONE,
            truthFromOthers(PRUNED)),
        aimed(
            "Counterfeiter",
            script -> TopBlock.paying(script, Long.MAX_VALUE),
            minedOnTop(INVALID_TRANSACTION)),
        aimed(
            "CounterfeiterBelowZero",
            script -> TopBlock.paying(script, -1_000),
            minedOnTop(INVALID_TRANSACTION)),
        aimed("CounterfeiterTwice", TopBlock::spendingTwice, minedOnTop(INVALID_TRANSACTION)),
        aimed("CounterfeiterCoinbase", TopBlock::creating, minedOnTop(INVALID_TRANSACTION)),
        aimed("Inflator", Announcer::inflating, truth(INVALID_TRANSACTION).lettingGo(FOLLOWED)),
        telling("Refuser", new Refuses(), truth()).with(Payment.FETCHED),
        telling("Echo", new Echoes(), truth()).with(Payment.NOT_FETCHED),
        // The others treat the client as Core treats a peer without noban: some seconds later.
        telling("AtOnceWithNothing", Empty.MEMPOOL, truth())
            .with(Payment.HIDDEN)
            .among(Behaviour.honest().spreadingAnnouncements(Duration.ofSeconds(5))),
        aimed("Decoy", TopBlock::decoying, minedOnTop(BAD_PROOF)),
        telling(
            "FutureTeller",
            TopBlock.ofTheFuture(),
            truth().ending(End.INCOMPLETE, ALONE, AS_GUARD)),
        telling("Boaster", new ClaimsBlocks(1_000_000), tooMuch),
        telling("SilentBoaster", Empty.HEADERS, tooMuch));
  }
}
