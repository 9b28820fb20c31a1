package org.murmur.cli.terminal;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.WalletException;

/**
 * Reads secrets from a file, from stdin ({@code -}), or from a prompt without echo.
 *
 * <p>Typed secrets stay in arrays, which the caller overwrites. Words become strings, and so does
 * the content of a file, which is on disk anyway.
 */
public final class Secrets {

  private static final String PASSWORD_PROMPT = "Password of the wallet: ";

  /** Tries of a person who types a password. */
  private static final int TRIES = 3;

  /** Characters of a password that gets no warning. */
  private static final int MIN_LENGTH = 8;

  private final Surroundings surroundings;
  private @Nullable String stdinTakenBy;

  /**
   * Makes a reader of secrets.
   *
   * @param surroundings the source of stdin and of the console
   */
  public Secrets(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Reads the words of a wallet from a file or stdin.
   *
   * @param file a file, or {@code -} for stdin
   * @return the words
   */
  public String mnemonic(String file) {
    return read("--mnemonic-file", file).strip();
  }

  /**
   * Asks for words of a wallet, which are not shown.
   *
   * @param prompt what to ask
   * @return the typed line
   */
  public String words(String prompt) {
    char[] typed = ask(prompt, "--mnemonic-file FILE (or - for stdin)");
    try {
      return new String(typed).strip();
    } finally {
      Arrays.fill(typed, '\0');
    }
  }

  /**
   * Reads the BIP39 passphrase; without a file it is empty. Blanks are part of it, a trailing
   * newline is not.
   *
   * @param file a file, {@code -} for stdin, or null
   * @return the passphrase; empty for none
   */
  public String passphrase(@Nullable String file) {
    return file == null ? "" : Inputs.withoutNewline(read("--passphrase-file", file));
  }

  /**
   * Reads a password for a new wallet.
   *
   * @param file a file, {@code -} for stdin, or null to ask
   * @return null for none; the caller overwrites it
   */
  public char @Nullable [] newPassword(@Nullable String file) {
    if (file != null) {
      char[] password = Inputs.withoutNewline(read("--password-file", file)).toCharArray();
      if (password.length == 0) {
        throw Failure.usage("--password-file: the password is empty");
      }
      return password;
    }
    if (surroundings.console() == null) {
      return null;
    }
    return typedTwice("Password to encrypt the words with (empty for none): ", "");
  }

  /**
   * Reads a required password, twice if typed.
   *
   * @param file a file, {@code -} for stdin, or null to ask
   * @return the password; the caller overwrites it
   */
  public char[] replacement(@Nullable String file) {
    if (file != null) {
      char[] password = Inputs.withoutNewline(read("--new-password-file", file)).toCharArray();
      if (password.length == 0) {
        throw Failure.usage("--new-password-file: the password is empty");
      }
      return password;
    }
    char[] password = typedTwice("New password: ", "--new-password-file FILE (or - for stdin)");
    if (password == null) {
      throw Failure.usage("the new password is empty");
    }
    return password;
  }

  /** Null for an empty one. */
  private char @Nullable [] typedTwice(String prompt, String instead) {
    String wrong = "";
    while (true) {
      char[] password = ask(wrong + prompt, instead);
      if (password.length == 0) {
        return null;
      }
      char[] again = ask("Repeat it: ", instead);
      boolean same = Arrays.equals(password, again);
      Arrays.fill(again, '\0');
      if (same) {
        return password;
      }
      Arrays.fill(password, '\0');
      wrong = "The two passwords differ.\n";
    }
  }

  /**
   * Reads the password of a wallet that has one.
   *
   * @param file a file, {@code -} for stdin, or null to ask
   * @return the password; the caller overwrites it
   */
  public char[] password(@Nullable String file) {
    if (file != null) {
      return Inputs.withoutNewline(read("--password-file", file)).toCharArray();
    }
    return ask(PASSWORD_PROMPT, "--password-file FILE (or - for stdin)");
  }

  /**
   * Does what needs the password of a wallet. A person at a terminal has three tries.
   *
   * @param <T> the result
   * @param <E> what the use throws besides
   * @param file a file, {@code -} for stdin, or null to ask
   * @param use gets the password, which is overwritten afterwards
   * @return what it returns
   * @throws WalletException of the use; that the password is wrong, if the last one is
   * @throws E of the use
   */
  public <T, E extends Exception> T unlocked(@Nullable String file, Unlocking<T, E> use)
      throws WalletException, E {
    String before = "";
    for (int left = file == null ? TRIES : 1; ; left--) {
      char[] password =
          file == null
              ? ask(before + PASSWORD_PROMPT, "--password-file FILE (or - for stdin)")
              : password(file);
      try {
        return use.with(password);
      } catch (WalletException e) {
        if (left == 1 || e.kind() != WalletException.Kind.WRONG_PASSWORD) {
          throw e;
        }
        before = "This is not the password. Try again.\n";
      } finally {
        Arrays.fill(password, '\0');
      }
    }
  }

  /**
   * What needs the password of a wallet.
   *
   * @param <T> the result
   * @param <E> what else it throws
   */
  @FunctionalInterface
  public interface Unlocking<T, E extends Exception> {
    /**
     * Does it.
     *
     * @param password the password, which the caller overwrites
     * @return the result
     * @throws WalletException if the password is wrong, or what it was needed for failed
     * @throws E if what it was needed for failed otherwise
     */
    T with(char[] password) throws WalletException, E;
  }

  /**
   * Returns what is wrong with a password, to be printed as a warning.
   *
   * @param password a new one; null for none
   * @return empty if it is long enough
   */
  public static Optional<String> weakness(char @Nullable [] password) {
    return password == null || password.length >= MIN_LENGTH
        ? Optional.empty()
        : Optional.of(
            "the password has "
                + Amounts.count(password.length, "character")
                + ": anyone who copies the wallet's file can guess it. `murmur passwd` sets a"
                + " longer one, of "
                + MIN_LENGTH
                + " or more");
  }

  private char[] ask(String prompt, String instead) {
    Surroundings.SecretPrompt console = surroundings.console();
    if (console == null) {
      throw Failure.failed("no_terminal", "no terminal to prompt on; use " + instead);
    }
    char[] typed = console.ask(prompt);
    if (typed == null) {
      throw Failure.failed("no_input", "the input was empty");
    }
    return typed;
  }

  private String read(String option, String file) {
    if (file.equals("-")) {
      if (stdinTakenBy != null) {
        throw Failure.usage(stdinTakenBy + " and " + option + " cannot both be stdin");
      }
      stdinTakenBy = option;
    }
    return Inputs.text(option, file, surroundings);
  }
}
