package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.store.DisclosedScripts;

/** The own scripts that a batch's mentions disclose: those that the mentioned transactions name. */
final class MentionedScripts {

  private record Said(CommitBatch.Mention mention, @Nullable Tx tx) {}

  private final List<Said> said = new ArrayList<>();

  /**
   * Records them before the ledger processes the batch, which may forget some of the transactions.
   */
  MentionedScripts(CommitBatch batch, Ledger ledger) {
    for (CommitBatch.Mention mention : batch.mentions()) {
      Fact fact = ledger.fact(mention.txid());
      said.add(new Said(mention, fact == null ? mention.sent() : fact.tx()));
    }
  }

  boolean isEmpty() {
    return said.isEmpty();
  }

  /** The disclosed scripts, as far as they are known after the ledger processed the batch. */
  List<DisclosedScripts> disclosed(Ledger ledger, OwnScripts scripts, ElementLog log) {
    List<DisclosedScripts> disclosed = new ArrayList<>();
    for (Said each : said) {
      CommitBatch.Mention mention = each.mention();
      BitSet named = new BitSet();
      Tx tx = each.tx();
      if (tx != null) {
        tx.outputs().forEach(output -> set(named, scripts.find(output.script())));
        tx.inputs().forEach(input -> set(named, spent(input.outPoint(), ledger, scripts, log)));
      }
      boolean sent = mention.sent() != null;
      if (sent || !named.isEmpty()) {
        disclosed.add(
            new DisclosedScripts(
                mention.peer(), sent ? mention.txid() : null, named, mention.time()));
      }
    }
    return disclosed;
  }

  private static void set(BitSet named, int script) {
    if (script != OwnScripts.FOREIGN) {
      named.set(script);
    }
  }

  /** The own script of a coin. The log has it for good, unless there was no room for it. */
  private static int spent(OutPoint coin, Ledger ledger, OwnScripts scripts, ElementLog log) {
    int index = log.indexOf(coin);
    if (index >= 0 && log.elements().get(index) instanceof Element.OwnOutPoint own) {
      return own.script();
    }
    Fact payment = ledger.fact(coin.txid());
    boolean known =
        payment != null && coin.index() >= 0 && coin.index() < payment.tx().outputs().size();
    return known && payment != null
        ? scripts.find(payment.tx().outputs().get(coin.index()).script())
        : OwnScripts.FOREIGN;
  }
}
