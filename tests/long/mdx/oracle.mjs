// The blocks of MDX documents as remark-mdx sees them.
//
// usage: node oracle.mjs < paths > blocks
// Reads one path per line; writes one JSON object per path: {"path", "blocks": [[kind, first line, last line, detail]]}
// or {"path", "error"} when remark-mdx refuses the document. JSX elements are entered: their tags become no block, what
// is between them does. `detail` is the level of a heading or the language of code.

import {readFileSync} from 'node:fs'
import {createInterface} from 'node:readline'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import {unified} from 'unified'

const parser = unified()
  .use(remarkParse)
  .use(remarkMdx)
  .use(remarkGfm)
  .use(remarkFrontmatter, ['yaml', 'toml'])
  .use(remarkMath)

function* blocks(parent) {
  for (const node of parent.children) {
    const {start, end} = node.position
    if (node.type === 'mdxJsxFlowElement') {
      yield ['component', start.line, end.line, '']
      yield* blocks(node)
    } else {
      yield [node.type, start.line, end.line, node.depth ?? node.lang ?? '']
    }
  }
}

for await (const path of createInterface({input: process.stdin})) {
  // `{#id}` after a heading is a common extension that plain MDX refuses; same length, so places stay
  const text = readFileSync(path, 'utf8').replaceAll('{#', '(#')
  let result
  try {
    result = {path, blocks: [...blocks(parser.parse(text))]}
  } catch (error) {
    result = {path, error: String(error.message).slice(0, 160)}
  }
  process.stdout.write(JSON.stringify(result) + '\n')
}
