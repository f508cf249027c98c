import { render } from 'preact';

import { App } from './app';
import { readPage } from './data';
import './style.css';

render(<App page={readPage()} />, document.getElementById('app')!);
