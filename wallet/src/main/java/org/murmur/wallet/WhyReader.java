package org.murmur.wallet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Scans;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Effect;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.OwnScripts;

/** Finds out which filters, peers and times covered a transaction, an address or a block. */
final class WhyReader {

  private WhyReader() {}

  /**
   * The subject of a question.
   *
   * @param height the block, or -1 for all of them
   * @param elements indexes in the log, any of which answers it; none for a height
   */
  private record Question(int height, Set<Integer> elements) {}

  static Why why(String subject, Books books) {
    Question question;
    if (subject.matches("[0-9]{1,9}")) {
      question = new Question(Integer.parseInt(subject), Set.of());
      int tip = books.read(WalletView::height);
      if (question.height() > tip) {
        throw new WalletException(
            WalletException.Kind.NOT_FOUND,
            "there is no block at height " + subject + ": the wallet's headers end at " + tip);
      }
    } else {
      question =
          books.read(
              view ->
                  subject.matches("[0-9a-fA-F]{64}")
                      ? ofTx(subject, view, books)
                      : ofAddress(subject, view));
      if (question.elements().isEmpty()) {
        throw new WalletException(
            WalletException.Kind.NOT_FOUND,
            subject + " is no transaction or address of this wallet, and no height");
      }
    }
    return answer(subject, question, books.scans());
  }

  private static Question ofTx(String subject, WalletView view, Books books) {
    Hash256 txid = Hash256.ofDisplay(subject);
    Fact fact = view.ledger().fact(txid);
    if (fact == null) {
      return new Question(-1, Set.of());
    }
    Set<Integer> elements = new HashSet<>();
    Effect effect = view.ledger().effect(txid);
    for (Effect.Part part : effect.received()) {
      elements.add(part.script());
    }
    for (Effect.Part part : effect.spent()) {
      int element = books.elementOf(part.outPoint());
      if (element >= 0) {
        // Otherwise no peer looked for it: an unvouched coin beyond the limit.
        elements.add(element);
      }
    }
    return new Question(fact.height(), elements);
  }

  private static Question ofAddress(String subject, WalletView view) {
    int script = view.scripts().ofAddress(subject);
    return new Question(-1, script == OwnScripts.FOREIGN ? Set.of() : Set.of(script));
  }

  private static Why answer(String subject, Question question, Scans scans) {
    List<Why.Look> looks = new ArrayList<>();
    for (ScanRow row : scans.rows()) {
      View view = scans.views().get(row.view());
      boolean there =
          question.height() < 0
              || (row.from() <= question.height() && question.height() <= row.to());
      if (view != null && there) {
        looks.add(
            new Why.Look(
                view.peer(),
                Instant.ofEpochSecond(row.time()),
                row.from(),
                row.to(),
                view.id(),
                row.elements(),
                holds(question, row, view, scans),
                view.content() instanceof Content.Scripts));
      }
    }
    return new Why(
        subject,
        question.height() < 0 ? OptionalInt.empty() : OptionalInt.of(question.height()),
        looks);
  }

  private static boolean holds(Question question, ScanRow row, View served, Scans scans) {
    if (question.elements().isEmpty()) {
      return true;
    }
    for (int element : question.elements()) {
      if (element < 0) {
        continue;
      }
      View view = served.at(row.elements());
      if (view.content().holds(element)
          || (scans.coverage() != null && scans.coverage().shows(element, view))) {
        return true;
      }
    }
    return false;
  }
}
