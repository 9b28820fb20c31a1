package org.murmur.lab.families;

import java.util.List;
import java.util.Map;
import org.murmur.lab.Column;
import org.murmur.lab.Table;
import org.murmur.lab.families.filter.FilterFamily;

/** Describes a family to a newcomer, with a link to the paper, the BIP or the library. */
record FamilyNote(String idea, String link) {

  private static final String FASTFILTER = "https://github.com/FastFilter/fastfilter_java";

  private static final Map<String, FamilyNote> ALL =
      Map.ofEntries(
          note(
              "bloom",
              "Each of k hash functions sets one bit; an element may be in if all its bits are"
                  + " set.",
              "https://github.com/bitcoin/bips/blob/master/bip-0037.mediawiki"),
          note(
              "guava",
              "Bloom's filter, with k positions made from two hashes by addition.",
              "https://github.com/google/guava/wiki/HashingExplained"),
          note(
              "blocked",
              "A Bloom filter in which all bits of an element lie in one cache line.",
              "https://doi.org/10.1145/1498698.1594230"),
          note(
              "scalable",
              "A larger and stricter Bloom filter is added on top of a full one.",
              "https://doi.org/10.1016/j.ipl.2006.10.007"),
          note(
              "counting",
              "A counter of four bits instead of each bit, so that elements can be deleted.",
              "https://doi.org/10.1109/90.851975"),
          note(
              "spectral",
              "Counters without limit in a code that makes small ones short.",
              "https://doi.org/10.1145/872757.872787"),
          note(
              "accurate",
              "Counters in levels: a bit says more than 0, then a bit more than 1, and so on.",
              "https://doi.org/10.1155/2013/516298"),
          note(
              "dleft",
              "Fingerprints with small counters, each in the emptiest of four buckets.",
              "https://doi.org/10.1007/11841036_61"),
          note(
              "cuckoo",
              "A fingerprint in one of two buckets; if both are full another one has to " + "move.",
              "https://doi.org/10.1145/2674005.2674994"),
          note(
              "quotient",
              "A hash table in which the place gives half of the fingerprint.",
              "https://doi.org/10.14778/2350229.2350275"),
          note(
              "xor",
              "An array solved so that three places, combined, give an element's fingerprint.",
              "https://arxiv.org/abs/1912.08258"),
          note(
              "fuse3",
              "The xor filter with its three places close together, so that it packs tighter.",
              "https://arxiv.org/abs/2201.01174"),
          note("fuse4", "The same with four places.", "https://arxiv.org/abs/2201.01174"),
          note(
              "golomb",
              "Sorted hashes, and the steps between them in a code of variable length.",
              "https://github.com/bitcoin/bips/blob/master/bip-0158.mediawiki"),
          note(
              "counting-fastfilter",
              "Counters of four bits, with k positions made of two halves of one hash.",
              FASTFILTER),
          note(
              "blocked-fastfilter",
              "Two bits in one word of 64, and two in a word near it.",
              FASTFILTER),
          note("cuckoo-fastfilter", "Fingerprints of 8 or 16 bits in two buckets.", FASTFILTER),
          note("xor-fastfilter", "The xor filter with fingerprints of 8 bits.", FASTFILTER));

  private static Map.Entry<String, FamilyNote> note(String name, String idea, String link) {
    return Map.entry(name, new FamilyNote(idea, link));
  }

  static FamilyNote of(FilterFamily family) {
    FamilyNote note = ALL.get(family.name());
    if (note == null) {
      throw new IllegalStateException(family.name() + " has no note");
    }
    return note;
  }

  static Table table(List<FilterFamily> families) {
    Table.Builder table =
        Table.of(
            "notes",
            "The families",
            Column.text(Subjects.FAMILY),
            Column.text("idea"),
            Column.text("link"));
    for (FilterFamily family : families) {
      table.row(family.name(), of(family).idea, of(family).link);
    }
    return table.build();
  }
}
