package org.murmur.cli;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The compiled main code, each package read once in a process. */
public final class MainCode {

  private static final Map<Set<String>, JavaClasses> READ = new ConcurrentHashMap<>();

  private MainCode() {}

  /**
   * The classes of some packages and of those below. Of others a rule sees the name alone: to read
   * the JDK's as well would take most of the time.
   */
  public static JavaClasses of(String... packages) {
    return READ.computeIfAbsent(Set.of(packages), MainCode::read);
  }

  private static JavaClasses read(Set<String> packages) {
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setResolveMissingDependenciesFromClassPath(false);
          return new ClassFileImporter()
              .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
              .importPackages(packages);
        });
  }
}
