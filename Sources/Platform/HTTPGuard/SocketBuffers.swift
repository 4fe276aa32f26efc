import NIOCore

/// Bounds the memory that the process keeps for one connection.
///
/// A channel keeps the buffers that it has read into. They are small except while a large body arrives, and at most as many
/// large bodies arrive at a time as the `bulk` lane has places.
enum SocketBuffers {
    private static let request = AdaptiveRecvByteBufferAllocator(
        minimum: 64, initial: 2 << 10, maximum: 8 << 10)
    private static let largeBody = AdaptiveRecvByteBufferAllocator(
        minimum: 2 << 10, initial: 16 << 10, maximum: 64 << 10)
    /// When more bytes than this are unsent, the handlers wait before they write more.
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
