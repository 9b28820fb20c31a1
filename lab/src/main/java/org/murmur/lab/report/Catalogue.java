package org.murmur.lab.report;

import java.util.List;
import org.murmur.lab.StudyKind;
import org.murmur.lab.bandwidth.Bandwidth;
import org.murmur.lab.families.FamiliesStudy;
import org.murmur.lab.fp.FalsePositives;
import org.murmur.lab.privacy.PrivacyStudy;

/** All studies, in the order the report shows them. */
public final class Catalogue {

  private static final List<StudyKind> ALL =
      List.of(new FalsePositives(), new PrivacyStudy(), new Bandwidth(), new FamiliesStudy());

  private Catalogue() {}

  public static List<StudyKind> all() {
    return ALL;
  }

  /** Returns the study with a name. Throws {@link IllegalArgumentException} if there is none. */
  public static StudyKind named(String name) {
    return ALL.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("study " + name + " is not known"));
  }
}
