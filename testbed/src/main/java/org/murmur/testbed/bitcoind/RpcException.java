package org.murmur.testbed.bitcoind;

/** The node answered a remote call with an error. */
public final class RpcException extends RuntimeException {

  private final int code;

  public RpcException(String method, int code, String message) {
    super(method + ": " + message + " (code " + code + ")");
    this.code = code;
  }

  /** Returns the node's number for the error, negative for most; 0 if the node gave none. */
  public int code() {
    return code;
  }
}
