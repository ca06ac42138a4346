// What every screen needs; each component imports the rest.
import "colours.css";
import "./tokens.css";
import "./base.css";
import "./controls.css";
import "./lists.css";
