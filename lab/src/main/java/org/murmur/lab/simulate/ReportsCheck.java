package org.murmur.lab.simulate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncReport;

/** Records the messages of one process, to check its reports against them. */
final class ReportsCheck {

  private final int began;
  private final Map<NodeAddress, Integer> blocks = new HashMap<>();
  // Peers that said the hashes of filters: each filter counts for all of them, whoever sent it.
  private final Set<NodeAddress> vouching = new HashSet<>();
  private final Map<Hash256, Sent> sent = new HashMap<>();
  private boolean stopped;
  private boolean disagree;
  // Whether the last peer was lost and the sync has not been complete since.
  private boolean alone;
  private @Nullable Hash256 completeAt;

  /** The actions of each peer on a transaction that the user sent. */
  private static final class Sent {
    private final Set<NodeAddress> handed = new HashSet<>();
    private final Set<NodeAddress> returned = new HashSet<>();
    private final Set<NodeAddress> announced = new HashSet<>();
  }

  /** Starts with a height that the wallet knows. */
  ReportsCheck(int began) {
    this.began = began;
  }

  /** Records an input before the machine processes it. */
  void came(Input input) {
    if (input instanceof Input.Stop) {
      stopped = true;
    } else if (input instanceof Input.BroadcastTx broadcast) {
      sent.putIfAbsent(broadcast.tx().txid(), new Sent());
    } else if (input instanceof Input.Received received) {
      came(received.link().address(), received.message());
    }
  }

  private void came(NodeAddress peer, Message message) {
    if (message instanceof Message.MerkleBlockMessage) {
      blocks.merge(peer, 1, Integer::sum);
    } else if (message instanceof Message.CFHeaders) {
      vouching.add(peer);
    } else if (message instanceof Message.TxMessage tx && sent.containsKey(tx.tx().txid())) {
      sent.get(tx.tx().txid()).returned.add(peer);
    } else if (message instanceof Message.Inv inv) {
      for (InventoryItem item : inv.items()) {
        if (sent.containsKey(item.hash())) {
          sent.get(item.hash()).announced.add(peer);
        }
      }
    }
  }

  void went(Output output) {
    if (output instanceof Output.Send send
        && send.message() instanceof Message.TxMessage tx
        && sent.containsKey(tx.tx().txid())) {
      sent.get(tx.tx().txid()).handed.add(send.link().address());
    } else if (output instanceof Output.Emit emit) {
      said(emit.event());
    }
  }

  private void said(SyncEvent event) {
    if (event instanceof SyncFact.Complete complete) {
      completeAt = complete.tip();
      alone = false;
    } else if (event instanceof SyncFact.NoUsablePeer) {
      alone = true;
    } else if (event instanceof SyncWarning.Disagreement) {
      disagree = true;
    }
  }

  private static void require(boolean holds, String complaint, Object report) {
    if (!holds) {
      throw new AssertionError(complaint + ": " + report);
    }
  }

  /** Checks that a report agrees with the wallet's holdings and with the peers' actions. */
  void requireTrue(SyncReport report, Holdings holdings) {
    require(
        report.tip().equals(holdings.tip())
            && report.height() == holdings.height()
            && report.transactions() == holdings.transactions().size()
            && report.balance().confirmed() == holdings.confirmedSat()
            && report.balance().immature() == holdings.immatureSat()
            && report.balance().unconfirmed() == holdings.unconfirmedSat(),
        "the report is of another wallet than " + holdings,
        report);
    int scanned = 0;
    int headers = 0;
    for (SyncReport.Participant peer : report.peers()) {
      scanned += peer.blocks();
      headers += peer.headers();
      require(
          peer.blocks() <= blocks.getOrDefault(peer.address(), 0)
              || vouching.contains(peer.address()),
          peer.address() + " served fewer blocks",
          report);
    }
    require(scanned == report.blocksScanned(), "blocks do not add up", report);
    require(headers >= report.height() - began, "no peer served some of the headers", report);
    requireEnd(report);
  }

  private void requireEnd(SyncReport report) {
    require(
        Objects.equals(report.tip(), completeAt) || !report.complete(),
        "it is not complete",
        report);
    SyncReport.Ending expected = null;
    if (stopped) {
      expected = SyncReport.Ending.STOPPED;
    } else if (disagree) {
      expected = SyncReport.Ending.PEERS_DISAGREE;
    } else if (alone) {
      expected = SyncReport.Ending.NO_USABLE_PEER;
    }
    require(
        expected == null ? !isForOthers(report.ending()) : report.ending() == expected,
        "it ended otherwise, " + (expected == null ? "by itself" : expected),
        report);
  }

  private static boolean isForOthers(SyncReport.Ending ending) {
    return ending == SyncReport.Ending.STOPPED
        || ending == SyncReport.Ending.TIMEOUT
        || ending == SyncReport.Ending.MAX_BYTES
        || ending == SyncReport.Ending.PEERS_DISAGREE
        || ending == SyncReport.Ending.NO_USABLE_PEER;
  }

  /** The transactions that were sent. */
  Set<Hash256> sent() {
    return sent.keySet();
  }

  /**
   * Checks that the peers reported as fetching are those that got it, and that each peer reported
   * as accepting sent it back.
   */
  void requireTrue(BroadcastReport report) {
    Sent seen = sent.getOrDefault(report.txid(), new Sent());
    require(
        seen.handed.equals(new HashSet<>(report.fetchedBy())),
        "it was sent to " + seen.handed,
        report);
    require(
        seen.returned.containsAll(report.acceptedBy()),
        "only these sent it back: " + seen.returned,
        report);
    require(
        seen.announced.containsAll(report.announcedBy()),
        "only these announced it: " + seen.announced,
        report);
  }
}
