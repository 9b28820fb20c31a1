package org.murmur.cli.terminal;

import java.util.Iterator;
import java.util.List;

/** The values of an option that has few, for the completion of shells. Picocli makes them. */
public abstract class Choices implements Iterable<String> {

  private final List<String> values;

  private Choices(List<String> values) {
    this.values = values;
  }

  @Override
  public final Iterator<String> iterator() {
    return values.iterator();
  }

  /** The networks. */
  public static final class Networks extends Choices {
    Networks() {
      super(GlobalOptions.NETWORKS);
    }
  }

  /** The script types. */
  public static final class Scripts extends Choices {
    Scripts() {
      super(List.of("bip44", "bip49", "bip84", "bip86"));
    }
  }

  /** The units of amounts. */
  public static final class Units extends Choices {
    Units() {
      super(List.of("btc", "sat"));
    }
  }

  /** The presets of a sync. */
  public static final class Presets extends Choices {
    Presets() {
      super(List.of("fast", "private"));
    }
  }

  /** The kinds of data that a wallet exports. */
  public static final class Exports extends Choices {
    Exports() {
      super(List.of("xpub", "descriptor", "mnemonic"));
    }
  }

  /** The update flags of a filter. */
  public static final class Flags extends Choices {
    Flags() {
      super(List.of("all", "none", "p2pubkey"));
    }
  }

  /** The formats of signed messages. */
  public static final class MessageFormats extends Choices {
    MessageFormats() {
      super(List.of("simple", "full", "legacy"));
    }
  }
}
