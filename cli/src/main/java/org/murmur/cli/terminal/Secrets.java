package org.murmur.cli.terminal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failure;

/**
 * Reads secrets from a file, from stdin ({@code -}), or from a prompt without echo.
 *
 * <p>Typed secrets stay in arrays, which the caller overwrites. Words become strings, and so does
 * the content of a file, which is on disk anyway.
 */
public final class Secrets {

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
   * Reads the words of a wallet.
   *
   * @param file a file, {@code -} for stdin, or null to ask
   * @return the words
   */
  public String mnemonic(@Nullable String file) {
    if (file != null) {
      return read("--mnemonic-file", file).strip();
    }
    char[] typed = ask("The wallet's words: ", "--mnemonic-file FILE (or - for stdin)");
    try {
      return new String(typed).strip();
    } finally {
      Arrays.fill(typed, '\0');
    }
  }

  /**
   * Asks for one of the wallet's words again.
   *
   * @param wrong says which word is wrong, and why
   * @param position of the word, from 1
   * @return the typed word
   */
  public String word(String wrong, int position) {
    char[] typed = ask(wrong + "\nWord " + position + " again: ", "--mnemonic-file");
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
    char[] password = ask("Password to encrypt the words with (empty for none): ", "");
    if (password.length == 0) {
      return null;
    }
    return confirmed(password);
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
    char[] password = ask("New password: ", "--new-password-file FILE (or - for stdin)");
    if (password.length == 0) {
      throw Failure.usage("the new password is empty");
    }
    return confirmed(password);
  }

  private char[] confirmed(char[] password) {
    char[] again = ask("Repeat it: ", "");
    boolean same = Arrays.equals(password, again);
    Arrays.fill(again, '\0');
    if (!same) {
      Arrays.fill(password, '\0');
      throw Failure.failed("password_mismatch", "the two passwords differ; nothing was changed");
    }
    return password;
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
    return ask("Password of the wallet: ", "--password-file FILE (or - for stdin)");
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
