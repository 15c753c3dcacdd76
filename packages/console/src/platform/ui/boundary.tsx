import { Component, type ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button, Row } from './button.tsx'
import { Note } from './shown.tsx'

/** An error in one part of a page does not affect the other parts, and that part can be retried alone. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <Note tone="bad" role="alert">
        <p>{text.panelFailed}</p>
        <Row>
          <Button look="quiet" small onClick={() => this.setState({ failed: false })}>
            {text.tryAgain}
          </Button>
        </Row>
      </Note>
    )
  }
}
