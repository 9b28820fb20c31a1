package org.murmur.p2p.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WatchedLog;

/**
 * Coverage by another way of seeing blocks, defined outside the package of coverage: BIP-0158 block
 * filters, and the whole blocks that match. Such a filter also has the scripts of spent outputs, so
 * a search for a script shows the spends of its coins, in any order of the blocks.
 */
class OtherViewTest {

  private static final int TIP = 40;
  private static final NodeAddress ANNA = new NodeAddress("anna", 1);
  private static final NodeAddress BERT = new NodeAddress("bert", 2);

  private static Element script(int i) {
    return new Element.Script(Bytes.of(new byte[] {(byte) i}));
  }

  private static OutPoint outPoint(int i) {
    byte[] txid = new byte[32];
    txid[0] = (byte) i;
    return new OutPoint(Hash256.ofInternal(txid), 0);
  }

  private final ScanBook book = new ScanBook(List.of(), List.of(), 1, 1);

  private View view(NodeAddress peer, Content content) {
    View view = new View(book.newId(), peer, content, false);
    book.add(view);
    return view;
  }

  private void serve(View view, int from, int to) {
    for (int height = from; height <= to; height++) {
      book.scanned(null, view.id(), view.content().size(), height, Instant.EPOCH);
    }
  }

  private Coverage coverage(Element... log) {
    return book.coverage(new WatchedLog(List.of(log)), 5, List.of(), false);
  }

  @Test
  void coversSpendsInAnyOrderAndByAnyPeer() {
    serve(view(ANNA, new Content.Scripts(1)), 21, TIP);
    serve(view(BERT, new Content.Scripts(1)), 5, 20);

    Element coin = new Element.OwnOutPoint(outPoint(1), 0, 10, Element.OPEN);
    assertThat(coverage(script(0), coin).uncovered(TIP)).hasToString("");
    assertThat(coverage(script(0), coin).uncovered(TIP, 2)).hasToString("5-40");
  }

  @Test
  void coversNoScriptThatItLackedAndNoSpendOfItsCoins() {
    serve(view(ANNA, new Content.Scripts(1)), 5, TIP);

    Element coin = new Element.OwnOutPoint(outPoint(1), 1, 10, 30);
    Coverage coverage = coverage(script(0), script(1), coin);
    assertThat(coverage.needs(TIP, 1, null).fresh()).hasToString("5-40");
    assertThat(coverage.uncovered(List.of(2), TIP)).hasToString("10-30");
  }

  /** The output that a foreign payment spends has a script that is not ours. */
  @Test
  void leavesInputsOfPendingPaymentsToFilters() {
    Element pending = new Element.PendingInput(outPoint(2), 30, Element.OPEN);
    serve(view(ANNA, new Content.Scripts(2)), 5, TIP);
    assertThat(coverage(script(0), pending).uncovered(TIP)).hasToString("30-40");

    serve(view(BERT, new Content.Prefix(2)), 30, TIP);
    assertThat(coverage(script(0), pending).uncovered(TIP)).hasToString("");
  }

  @Test
  void mixesWithFiltersOnOtherConnections() {
    serve(view(ANNA, new Content.Scripts(1)), 5, 20);
    serve(view(BERT, new Content.Prefix(1)), 21, TIP);

    Element coin = new Element.OwnOutPoint(outPoint(1), 0, 10, Element.OPEN);
    assertThat(coverage(script(0), coin).needs(TIP, 1, null).again()).hasToString("21-40");
    assertThat(coverage(script(0)).uncovered(TIP)).hasToString("");
  }
}
