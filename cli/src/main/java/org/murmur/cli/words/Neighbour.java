package org.murmur.cli.words;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An input that belongs to a neighbouring standard, and what to do with it. Whatever no reader
 * understands is looked up here, so an error can say what was given instead of what a parser
 * missed.
 *
 * @param shape the beginning or shape of its texts
 * @param name of the form, for people; a part of a sentence
 * @param advice what to do; a sentence without its full stop
 */
public record Neighbour(Pattern shape, String name, String advice) {

  private Neighbour(String shape, String name, String advice) {
    this(Pattern.compile(shape, Pattern.DOTALL | Pattern.CASE_INSENSITIVE), name, advice);
  }

  private static final String PSBT = "a PSBT";

  private static final List<Neighbour> FORMS =
      List.of(
          new Neighbour(
              "\\{.*\"psbt\"\\s*:\\s*\"cHNidP.*",
              "JSON around a PSBT, as bitcoin-cli prints it",
              "give what stands after \"psbt\", for instance: jq -r .psbt FILE | murmur psbt show"
                  + " -"),
          new Neighbour(
              "[\\[{].*\"desc\"\\s*:.*",
              "JSON with descriptors, as bitcoin-cli listdescriptors prints it",
              "give the descriptors alone: jq -r '.descriptors[].desc' FILE | murmur watch -"),
          new Neighbour(
              "[\\[{].*\"hex\"\\s*:.*",
              "JSON around a transaction, as bitcoin-cli prints it",
              "give what stands after \"hex\", for instance with jq -r .hex"),
          new Neighbour(
              "\\{.*\"(seed_version|keystore)\"\\s*:.*",
              "a wallet file of Electrum",
              "watch its master public key"),
          new Neighbour(
              "\\{.*\"(xpub|ExtPubKey)\"\\s*:.*", "JSON of another wallet", "give its xpub alone"),
          new Neighbour(
              "cHNidP.*|70736274ff.*|psbt\u00ff.*", PSBT, "`murmur psbt show FILE` reads it"),
          new Neighbour(
              "BSMS 1\\.0.*",
              "a wallet of BSMS (BIP129)",
              "give the descriptor in its second line"),
          new Neighbour(
              "ur:crypto-psbt/.*|ur:psbt/.*", "a PSBT as UR", "export it as base64 or as a file"),
          new Neighbour(
              "ur:.*", "a text of the UR standard", "export the descriptor or xpub as text"),
          new Neighbour(
              "ln(bc|tb|bcrt|tbs)[0-9].*",
              "an invoice of Lightning (BOLT11)",
              "ask for an address"),
          new Neighbour("lno1.*", "an offer of Lightning (BOLT12)", "ask for an address"),
          new Neighbour("lnurl1.*", "an LNURL of Lightning", "ask for an address"),
          new Neighbour(
              "t?sp1[0-9a-z]{90,}", "a silent payment address (BIP352)", "ask for an address"),
          new Neighbour(
              "6P[1-9A-HJ-NP-Za-km-z]{56}",
              "an encrypted private key (BIP38)",
              "sweep it elsewhere"),
          new Neighbour("0x[0-9a-f]{40}", "an address of Ethereum", "ask for a Bitcoin address"),
          new Neighbour("n(pub|sec|profile)1[0-9a-z]{50,}", "a key of Nostr", "ask for an address"),
          new Neighbour(
              "ms1[0-9a-z]{45,}", "a share of codex32 (BIP93)", "restore it in its own wallet"));

  /** Long enough for the beginning of each form. */
  private static final int MOST = 100_000;

  /**
   * Recognises a text, with white space around it; empty for everything that is none of the known
   * forms.
   */
  public static Optional<Neighbour> of(String text) {
    String stripped = text.strip();
    String begins = stripped.substring(0, Math.min(MOST, stripped.length()));
    String bare =
        begins.toLowerCase(Locale.ROOT).startsWith("lightning:") ? begins.substring(10) : begins;
    return FORMS.stream().filter(form -> form.shape().matcher(bare).matches()).findFirst();
  }

  /** Kinds of failures of a reader that did not understand its input. */
  private static final Set<String> UNREAD =
      Set.of("usage", "malformed", "bad_address", "bad_uri", "bad_descriptor", "bad_label");

  /**
   * Adds what was given to the error of a reader that did not understand it: a sentence, if one of
   * the texts is known.
   */
  public static Failure explained(Failure failure, List<String> texts) {
    if (!UNREAD.contains(failure.kind())) {
      return failure;
    }
    return texts.stream()
        .flatMap(text -> of(text).stream())
        .filter(known -> !known.name().equals(PSBT) || !failure.text().contains("PSBT"))
        .findFirst()
        .map(known -> failure.and("This is " + known.name() + ": " + known.advice()))
        .orElse(failure);
  }
}
