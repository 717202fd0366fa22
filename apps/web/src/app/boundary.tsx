import { Component, type ReactNode } from 'react'
import { ErrorPanel } from '#kit/feedback.tsx'

/** Error boundary: a page that crashes does not affect the rest. */
export class Boundary extends Component<{ children: ReactNode; onRetry?: () => void }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidCatch(error: unknown) {
    console.error(error)
  }
  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <ErrorPanel
        error={this.state.error}
        title="页面出错"
        retry={() => {
          this.setState({ error: undefined })
          this.props.onRetry?.()
        }}
      />
    )
  }
}
