package org.murmur.coins.keys;

/** A descriptor or extended key cannot be used; the message says where and what was expected. */
public final class DescriptorException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  DescriptorException(String message) {
    super(message);
  }

  DescriptorException(String message, Throwable cause) {
    super(message, cause);
  }
}
