@main
struct Dayly {
    static func main() {}
}
