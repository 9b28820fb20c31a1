@org.jspecify.annotations.NullMarked
package org.murmur.android;
