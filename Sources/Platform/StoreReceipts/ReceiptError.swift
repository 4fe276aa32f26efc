/// A signed transaction that does not count: its signature, its certificates or what it says are wrong.
package struct InvalidReceipt: Error {
    package init() {}
}
