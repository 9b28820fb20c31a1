package org.murmur.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.words.Failure;

/** The values of options that have few, for the completion of shells. Picocli makes them. */
public final class Choices {

  private Choices() {}

  /** Returns the meaning of an option's word, which must be one of these words. */
  public static <T> T meaning(
      String option, String word, List<String> words, List<? extends T> meanings) {
    int at = words.indexOf(word);
    if (at < 0) {
      int last = words.size() - 1;
      String expected = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
      throw Failure.usage(option + " '" + word + "', expected " + expected);
    }
    return meanings.get(at);
  }

  /** The networks. */
  public static final class Networks extends ArrayList<String> {
    Networks() {
      super(GlobalOptions.NETWORKS);
    }
  }

  /** The script types. */
  public static final class Scripts extends ArrayList<String> {
    Scripts() {
      super(List.of("bip44", "bip49", "bip84", "bip86"));
    }
  }

  /** The units of amounts. */
  public static final class Units extends ArrayList<String> {
    Units() {
      super(List.of("btc", "sat"));
    }
  }

  /** The presets of a sync. */
  public static final class Presets extends ArrayList<String> {
    public Presets() {
      super(List.of("fast", "private", "compact"));
    }
  }

  /** Whether connections are encrypted. */
  public static final class Encryptions extends ArrayList<String> {
    public Encryptions() {
      super(List.of("only", "prefer", "off"));
    }
  }

  /** The unconfirmed transactions of a compact sync, unless a node is named. */
  public static final class Pools extends ArrayList<String> {
    public Pools() {
      super(List.of("none", "all"));
    }
  }

  /** The kinds of data that a wallet exports. */
  public static final class Exports extends ArrayList<String> {
    Exports() {
      super(List.of("xpub", "descriptor", "mnemonic"));
    }
  }

  /** The update flags of a filter. */
  public static final class Flags extends ArrayList<String> {
    public Flags() {
      super(List.of("all", "none", "p2pubkey"));
    }
  }

  /** The formats of signed messages. */
  public static final class MessageFormats extends ArrayList<String> {
    MessageFormats() {
      super(List.of("simple", "full", "legacy"));
    }
  }
}
