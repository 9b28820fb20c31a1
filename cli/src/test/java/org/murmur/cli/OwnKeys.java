package org.murmur.cli;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.demo.DemoWallet;

/** Signs with the keys of the demonstration's wallet, past the wallet. */
public final class OwnKeys {

  private OwnKeys() {}

  /**
   * Signs spends of the wallet's coins.
   *
   * @param wallet one of {@link DemoWallet#WORDS}, which has them
   * @param unsigned with inputs of this wallet only
   * @return signed
   */
  public static Tx signed(Ran.With wallet, Tx unsigned) {
    List<Tx.Output> spent = new ArrayList<>();
    for (Tx.Input input : unsigned.inputs()) {
      String txid = input.outPoint().txid().toDisplay();
      String hex = wallet.murmur("tx", txid, "--json").json().get("hex").asText();
      spent.add(Tx.parse(Bytes.ofHex(hex)).outputs().get(input.outPoint().index()));
    }
    return DemoWallet.signer().sign(unsigned, spent);
  }
}
