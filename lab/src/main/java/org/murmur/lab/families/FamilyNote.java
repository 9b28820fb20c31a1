package org.murmur.lab.families;

/** Describes a family to a newcomer, with a link to the paper, the BIP or the library. */
record FamilyNote(String idea, String link) {

  static FamilyNote of(FilterFamily family) {
    String[] parts = FamiliesStudy.TEXTS.line("note " + family.name()).split(" (?=https:)", 2);
    return new FamilyNote(parts[0], parts[1]);
  }
}
