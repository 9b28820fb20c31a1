package org.murmur.p2p.internal.headers;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.SyncStart;

/** Where the scan begins: the wallet's birthday, and the starts of this session's rescans. */
public final class Birthdays extends Part<HeaderPeer> implements ChangeListener {

  // Only the first one counts.
  private final List<Birthday> birthdays = new ArrayList<>();
  private OptionalInt height;

  public Birthdays(Part<? extends HeaderPeer> machine, SyncStart start) {
    super(machine);
    this.birthdays.add(start.birthday());
    this.height = start.birthdayHeight();
  }

  /** The height of the wallet's birthday, if the headers gave it when it was last resolved. */
  public OptionalInt height() {
    return height;
  }

  /** Finds the height of the birthday, once the headers reach it. */
  public void resolve() {
    if (!height.isPresent()) {
      int first = Integer.MAX_VALUE;
      for (Birthday birthday : birthdays) {
        first = Math.min(first, chain.heightOf(birthday).orElse(Integer.MAX_VALUE));
      }
      // A date that no header reaches yet lies above them all, but perhaps below a height given by
      // the user.
      boolean settled = birthdays.size() == 1 || first <= chain.height();
      if (settled && first < Integer.MAX_VALUE) {
        setHeight(first);
      }
    }
  }

  private void setHeight(int first) {
    // The genesis block's coin can never be spent, so there is nothing to scan for.
    height = OptionalInt.of(Math.max(1, first));
    journal.birthday(height.getAsInt(), effects.now());
  }

  /**
   * The scan begins at this height or below; a later birthday than the known one changes nothing.
   */
  void lower(Birthday from) {
    resolve();
    OptionalInt known = height;
    int asked = chain.heightOf(from).orElse(Integer.MAX_VALUE);
    birthdays.add(from);
    if (known.isPresent() && asked < known.getAsInt()) {
      setHeight(asked);
    }
    resolve();
  }

  @Override
  public void hear(Change change) {
    if (change instanceof Change.Reorganised reorganised) {
      reorganised(reorganised.fork());
    } else if (change instanceof Change.Rescan rescan) {
      lower(rescan.birthday());
    }
  }

  /**
   * Forgets the height of a birthday given as a date after a reorganisation: the new branch may
   * reach the date at a lower height, and the scan has to begin there. It never begins later than
   * before; scanned blocks stay scanned.
   */
  void reorganised(int fork) {
    if (!height.isPresent() || height.getAsInt() <= fork) {
      return;
    }
    int first = Integer.MAX_VALUE;
    for (Birthday birthday : birthdays) {
      first = Math.min(first, chain.heightOf(birthday).orElse(chain.height() + 1));
    }
    if (Math.max(1, first) < height.getAsInt()) {
      setHeight(first);
    }
  }
}
