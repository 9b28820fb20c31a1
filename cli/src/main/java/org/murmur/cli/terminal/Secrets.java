package org.murmur.cli.terminal;

import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Text;
import org.murmur.wallet.Credentials;
import org.murmur.wallet.failure.WalletException;

/**
 * Reads secrets from a file, from stdin ({@code -}), or from a prompt without echo. No command asks
 * or reads one otherwise. On a terminal {@code -} is a prompt.
 *
 * <p>Typed secrets stay in arrays, which the caller overwrites. Words become strings, and so does
 * the content of a file, which is on disk anyway.
 */
public final class Secrets {

  private static final String MNEMONIC = "--mnemonic-file";
  private static final String PASSPHRASE = "--passphrase-file";
  private static final String PASSWORD = "--password-file";
  private static final String NEW_PASSWORD = "--new-password-file";

  /** Tries of a person who types a password. */
  private static final int TRIES = 3;

  /** Characters of a password that gets no warning. */
  private static final int MIN_LENGTH = 8;

  private final Surroundings surroundings;
  private @Nullable String stdinTakenBy;

  public Secrets(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * Reads the words of a wallet from a file or stdin; empty to ask for them, with {@link #words}.
   */
  public Optional<String> mnemonic(@Nullable String file) {
    return file == null || isTyped(file)
        ? Optional.empty()
        : Optional.of(read(MNEMONIC, file).strip());
  }

  /** Asks for words of a wallet, which are not shown. */
  public String words(String prompt) {
    return string(ask(prompt, MNEMONIC)).strip();
  }

  /**
   * Asks for an answer that is no secret. Returns the typed text without blanks around it, empty at
   * the end of the input. {@code instead} says what to do where nobody can be asked.
   */
  String answer(String prompt, String instead) {
    Surroundings.SecretPrompt console = surroundings.console();
    if (console == null) {
      throw Failure.failed("no_terminal", "no terminal to ask on: " + instead);
    }
    char[] typed = console.ask(prompt);
    return typed == null ? "" : new String(typed).strip();
  }

  /** Reads the BIP39 passphrase of new words, twice if typed; empty for none. */
  public String newPassphrase(@Nullable String file) {
    return file == null ? "" : string(secret(PASSPHRASE, file, "BIP39 passphrase: ", true));
  }

  /**
   * Reads the BIP39 passphrase of a wallet; empty for none. Blanks are part of it, a trailing
   * newline is not. A file of null asks if the words have one.
   */
  public String passphrase(@Nullable String file, boolean used) {
    return file == null && !used
        ? ""
        : string(secret(PASSPHRASE, file, "BIP39 passphrase of the words: ", false));
  }

  /** Reads a password for a new wallet, or null for none. The caller overwrites it. */
  public char @Nullable [] newPassword(@Nullable String file) {
    if (file == null && surroundings.console() == null) {
      return null;
    }
    char[] password =
        secret(PASSWORD, file, "Password to encrypt the words with (empty for none): ", true);
    return password.length == 0 && isTyped(file) ? null : notEmpty(PASSWORD, password);
  }

  /** Reads a required password, twice if typed. */
  public char[] replacement(@Nullable String file) {
    return notEmpty(NEW_PASSWORD, secret(NEW_PASSWORD, file, "New password: ", true));
  }

  private static char[] notEmpty(String option, char[] password) {
    if (password.length == 0) {
      throw Failure.usage(option + ": the password is empty");
    }
    return password;
  }

  /**
   * Does what needs the words of a wallet. A person at a terminal has three tries. The password is
   * overwritten afterwards.
   */
  public <T, E extends Exception> T unlocked(
      boolean encrypted, @Nullable String file, Unlocking<T, E> use) throws E {
    if (!encrypted) {
      return use.with(Credentials.NONE);
    }
    String before = "";
    for (int left = isTyped(file) ? TRIES : 1; ; left--) {
      char[] password = secret(PASSWORD, file, before + "Password of the wallet: ", false);
      try {
        return use.with(Credentials.ofPassword(password));
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

  /** Code that needs the words of a wallet. */
  @FunctionalInterface
  public interface Unlocking<T, E extends Exception> {
    /** Does it. The password is overwritten afterwards. */
    T with(Credentials credentials) throws E;
  }

  /**
   * Returns what is wrong with a new password, to be printed as a warning; empty if it is long
   * enough.
   */
  public static Optional<String> weakness(char @Nullable [] password) {
    return password == null || password.length >= MIN_LENGTH
        ? Optional.empty()
        : Optional.of(
            Text.of(
                "the password has %s: anyone who copies the wallet's file can guess it. `murmur"
                    + " passwd` sets a longer one, of %s or more",
                Amounts.count(password.length, "character"), MIN_LENGTH));
  }

  /** Whether it is typed: with a terminal, {@code -} is no stream that would show it. */
  private boolean isTyped(@Nullable String file) {
    return file == null || (file.equals("-") && surroundings.console() != null);
  }

  /** A password or passphrase: one line, however it comes; the caller overwrites it. */
  private char[] secret(String option, @Nullable String file, String prompt, boolean twice) {
    if (file != null && !isTyped(file)) {
      String text = Inputs.withoutNewline(read(option, file));
      requireLine(option, text);
      return text.toCharArray();
    }
    String wrong = "";
    while (true) {
      char[] secret = ask(wrong + prompt, option);
      char[] again = twice && secret.length > 0 ? ask("Repeat it: ", option) : secret.clone();
      boolean same = Arrays.equals(secret, again);
      Arrays.fill(again, '\0');
      if (same) {
        return secret;
      }
      Arrays.fill(secret, '\0');
      wrong = "The two differ.\n";
    }
  }

  private static String string(char[] secret) {
    try {
      return new String(secret);
    } finally {
      Arrays.fill(secret, '\0');
    }
  }

  /** Nobody can type such a secret again. */
  private static void requireLine(String option, CharSequence secret) {
    for (int i = 0; i < secret.length(); i++) {
      char c = secret.charAt(i);
      if (Character.isISOControl(c) && c != '\t') {
        throw Failure.failed(
            "malformed",
            option
                + ": the secret has "
                + (c == '\n' || c == '\r'
                    ? "more than one line"
                    : Text.of("the control character U+%04X", (int) c)));
      }
    }
  }

  private char[] ask(String prompt, String option) {
    Surroundings.SecretPrompt console = surroundings.console();
    if (console == null) {
      throw Failure.failed(
          "no_terminal", "no terminal to prompt on; use " + option + " FILE (or - for stdin)");
    }
    char[] typed = console.ask(prompt);
    if (typed == null) {
      throw Failure.failed("no_input", "the input was empty");
    }
    // As before a text in a file.
    int begin = typed.length > 0 && typed[0] == '\ufeff' ? 1 : 0;
    char[] secret = Arrays.copyOfRange(typed, begin, typed.length);
    Arrays.fill(typed, '\0');
    CharBuffer text = CharBuffer.wrap(secret);
    requireLine("the prompt", text);
    if (Inputs.fault(text).isPresent()) {
      throw Failure.failed(
          "malformed",
          "a typed character was lost: this terminal's character set is not UTF-8. Set"
              + " LC_ALL=C.UTF-8, or use "
              + option
              + " FILE");
    }
    return secret;
  }

  private String read(String option, String file) {
    if (file.equals("-")) {
      if (stdinTakenBy != null) {
        throw Failure.usage(stdinTakenBy + " and " + option + " cannot both be stdin");
      }
      if (surroundings.echoes()) {
        throw Failure.failed(
            "no_terminal",
            option
                + " -: the terminal would show what is typed, since stdout is redirected. Use "
                + option
                + " FILE");
      }
      stdinTakenBy = option;
    }
    return Inputs.text(option, file, surroundings);
  }
}
