package org.murmur.coins.spend;

import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.spend.fee.InputSize;

/**
 * An unused script of the wallet that can take change.
 *
 * @param script the scriptPubKey
 * @param size what an input that spends it will need
 */
public record ChangeScript(Bytes script, InputSize size) {

  /** If recipients differ, change looks like the first of these among them, as in Core. */
  private static final List<OutputKind> PREFERENCE =
      List.of(OutputKind.P2TR, OutputKind.P2WPKH, OutputKind.P2SH, OutputKind.P2PKH);

  /**
   * Chooses the script that looks like the payment: the wallet's usual one, which is the first, if
   * none does. An observer takes an output of another kind than the payment for change.
   */
  static ChangeScript like(List<Recipient> recipients, List<ChangeScript> scripts) {
    for (OutputKind kind : PREFERENCE) {
      if (recipients.stream().anyMatch(recipient -> OutputKind.of(recipient.script()) == kind)) {
        for (ChangeScript script : scripts) {
          if (OutputKind.of(script.script()) == kind) {
            return script;
          }
        }
      }
    }
    return scripts.get(0);
  }
}
