import NIOCore

/// How much of a connection the process keeps in its own memory.
///
/// A channel keeps the buffers that it has read into. So they are small, except while a large body arrives: there are at
/// most as many of those as the `bulk` lane has places.
enum SocketBuffers {
    private static let request = AdaptiveRecvByteBufferAllocator(
        minimum: 64, initial: 2 << 10, maximum: 8 << 10)
    private static let largeBody = AdaptiveRecvByteBufferAllocator(
        minimum: 2 << 10, initial: 16 << 10, maximum: 64 << 10)
    /// Answers beyond this wait in their handlers.
    private static let unsent = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 10, high: 16 << 10)

    static func limit(_ channel: any Channel) throws {
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: unsent)
        try setReadSize(isLarge: false, of: channel)
    }

    static func setReadSize(isLarge: Bool, of channel: any Channel) throws {
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: UInt(isLarge ? 4 : 1))
        try channel.syncOptions?.setOption(.recvAllocator, value: isLarge ? largeBody : request)
    }
}
